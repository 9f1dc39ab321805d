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
 * Keeps what clients have sent and nobody has answered yet, and the answers that they have not taken, within a budget of
 * bytes, so that many large ones at once are refused rather than fill the heap. Thread-safe.
 */
public final class RequestBudget implements DecoratingHttpServiceFunction {
  private static final AttributeKey<Account> ACCOUNT =
      AttributeKey.valueOf(RequestBudget.class, "ACCOUNT");

  /** Small answers always go out: they are many, and what they take is soon given back. */
  public static final int FREE_BYTES = 64 << 10;

  private final long bytes;
  private final AtomicLong used = new AtomicLong();

  /** Creates a budget of so many bytes for all requests and answers together. */
  public RequestBudget(long bytes) {
    this.bytes = bytes;
  }

  @Override
  public HttpResponse serve(HttpService delegate, ServiceRequestContext ctx, HttpRequest request)
      throws Exception {
    Account account = new Account(ctx);
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

  /**
   * Counts what will be made to answer a request, until that is sent; refuses if it is too much. What has an effect must
   * ask before it has it: a client that is told to try again must be able to believe that nothing has happened.
   */
  public static void charge(ServiceRequestContext ctx, long bytes) {
    Account account = ctx.attr(ACCOUNT);
    if (account != null && bytes > FREE_BYTES) {
      account.charge(bytes);
    }
  }

  /** Returns how many bytes are counted at the moment. */
  long used() {
    return used.get();
  }

  /** What one request uses. */
  private final class Account {
    private final ServiceRequestContext ctx;
    private final AtomicLong own = new AtomicLong();

    Account(ServiceRequestContext ctx) {
      this.ctx = ctx;
    }

    HttpData charge(HttpData data) {
      charge(data.length());
      return data;
    }

    void charge(long more) {
      own.addAndGet(more);
      long total = used.addAndGet(more);
      if (total > bytes) {
        // At once: what is refused is not kept, and must not be why others are refused.
        own.addAndGet(-more);
        used.addAndGet(-more);
      }
      if (ctx.log().isComplete()) {
        settle(); // the client is gone already, and nobody else will
      }
      if (total > bytes) {
        throw new FirestoreServerException(
            Code.UNAVAILABLE, "The server has too many large requests at once; try again later.");
      }
    }

    void settle() {
      used.addAndGet(-own.getAndSet(0));
    }
  }
}
