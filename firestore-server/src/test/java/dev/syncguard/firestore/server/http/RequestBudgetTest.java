package dev.syncguard.firestore.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.rpc.Code;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.Patience;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class RequestBudgetTest {
  private static final int BYTES = 1_000_000;
  private static final int MOST = 900_000;
  private static final int MORE = 200_000;

  private final RequestBudget budget = new RequestBudget(BYTES);

  @Test
  void aRequestCountsUntilItIsAnswered() throws Exception {
    ServiceRequestContext first = arrived(MOST);
    assertThatThrownBy(() -> arrived(MORE)).rootCause().satisfies(RequestBudgetTest::isRefusal);
    answered(first);
    isEmptyAgain();
  }

  @Test
  void anAnswerCountsUntilItIsSent() throws Exception {
    ServiceRequestContext first = arrived(1);
    RequestBudget.charge(first, MOST);
    ServiceRequestContext second = arrived(1);
    assertThatThrownBy(() -> RequestBudget.charge(second, MORE))
        .satisfies(RequestBudgetTest::isRefusal);
    answered(first);
    answered(second);
    isEmptyAgain();
  }

  @Test
  void aRequestAndItsAnswerAreOneSum() throws Exception {
    ServiceRequestContext ctx = arrived(MOST);
    assertThatThrownBy(() -> RequestBudget.charge(ctx, MORE))
        .satisfies(RequestBudgetTest::isRefusal);
  }

  @Test
  void aSmallAnswerGoesOutHoweverFullItIs() throws Exception {
    arrived(BYTES);
    ServiceRequestContext ctx = arrivedBefore();
    assertThatCode(() -> RequestBudget.charge(ctx, RequestBudget.FREE_BYTES))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> RequestBudget.charge(ctx, RequestBudget.FREE_BYTES + 1))
        .satisfies(RequestBudgetTest::isRefusal);
  }

  @Test
  void whatIsRefusedKeepsNobodyElseOut() throws Exception {
    arrived(MOST);
    ServiceRequestContext refused = arrivedBefore();
    assertThatThrownBy(() -> RequestBudget.charge(refused, MORE))
        .satisfies(RequestBudgetTest::isRefusal);
    assertThatCode(() -> arrived(1)).doesNotThrowAnyException();
  }

  @Test
  void aStreamGivesBackWhatHasBeenDealtWith() throws Exception {
    RequestBudget.settle(arrived(MOST));
    assertThat(budget.used()).isZero();
  }

  @Test
  void nothingIsKeptForAClientThatIsGone() throws Exception {
    ServiceRequestContext gone = arrived(1);
    answered(gone);
    isEmptyAgain();
    RequestBudget.charge(gone, MOST);
    assertThat(budget.used()).isZero();
  }

  /** Returns a request whose body has been read. */
  private ServiceRequestContext arrived(int bytes) throws Exception {
    return serve(HttpRequest.of(headers(HttpMethod.POST), HttpData.wrap(new byte[bytes])));
  }

  /** Returns a request that has no body, so that it can arrive however full it is. */
  private ServiceRequestContext arrivedBefore() throws Exception {
    return serve(HttpRequest.of(headers(HttpMethod.GET)));
  }

  private static RequestHeaders headers(HttpMethod method) {
    return RequestHeaders.builder(method, "/")
        .scheme(SessionProtocol.H2C)
        .authority("localhost")
        .build();
  }

  private ServiceRequestContext serve(HttpRequest request) throws Exception {
    ServiceRequestContext ctx = ServiceRequestContext.of(request);
    HttpResponse unused = budget.serve(
        (context, counted) -> {
          try {
            counted.aggregate().join();
          } catch (CompletionException e) {
            answered(ctx); // with a refusal
            throw e;
          }
          return HttpResponse.of(200);
        },
        ctx,
        request);
    return ctx;
  }

  private static void answered(ServiceRequestContext ctx) {
    ctx.logBuilder().endRequest();
    ctx.logBuilder().endResponse();
  }

  private void isEmptyAgain() {
    Patience.until("all is given back", () -> budget.used() == 0);
  }

  private static void isRefusal(Throwable failure) {
    assertThat(failure)
        .isInstanceOfSatisfying(
            FirestoreServerException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(Code.UNAVAILABLE));
  }
}
