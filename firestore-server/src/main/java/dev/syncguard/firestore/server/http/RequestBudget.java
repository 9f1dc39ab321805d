package dev.syncguard.firestore.server.http;

import com.google.rpc.Code;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.FirestoreServerException;
import io.netty.util.AttributeKey;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps what clients have sent and nobody has answered yet within a budget of bytes, so that many large requests at once
 * are refused rather than fill the heap. Threads may share it.
 */
public final class RequestBudget implements DecoratingHttpServiceFunction {
  private static final AttributeKey<Account> ACCOUNT =
      AttributeKey.valueOf(RequestBudget.class, "ACCOUNT");

  private final long bytes;
  private final AtomicLong used = new AtomicLong();

  public RequestBudget(long bytes) {
    this.bytes = bytes;
  }

  @Override
  public HttpResponse serve(HttpService delegate, ServiceRequestContext ctx, HttpRequest request)
      throws Exception {
    Account account = new Account();
    ctx.setAttr(ACCOUNT, account);
    var unused = ctx.log().whenComplete().thenRun(account::settle);
    HttpRequest counted = request.mapData(account::charge);
    ctx.updateRequest(counted);
    return delegate.serve(ctx, counted);
  }

  /** Gives back what the messages of a stream have used so far, because they have been dealt with. */
  public static void settle(ServiceRequestContext ctx) {
    Account account = ctx.attr(ACCOUNT);
    if (account != null) {
      account.settle();
    }
  }

  /** What one request uses. */
  private final class Account {
    private final AtomicLong own = new AtomicLong();

    HttpData charge(HttpData data) {
      own.addAndGet(data.length());
      if (used.addAndGet(data.length()) > bytes) {
        throw new FirestoreServerException(
            Code.UNAVAILABLE, "The server has too many large requests at once; try again later.");
      }
      return data;
    }

    void settle() {
      used.addAndGet(-own.getAndSet(0));
    }
  }
}
