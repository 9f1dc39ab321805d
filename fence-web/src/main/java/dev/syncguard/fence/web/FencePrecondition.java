package dev.syncguard.fence.web;

import dev.syncguard.fence.FenceHeader;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.lock.Fence;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What a request has to bring along, and the answers to those that do not. */
record FencePrecondition(FencedResource resource, FenceCheck check) {

  private static final int BAD_REQUEST = 400;
  private static final int PRECONDITION_REQUIRED = 428;

  /** Returns whether a request may go on; otherwise it has been answered. */
  boolean admits(HttpServletRequest request, HttpServletResponse response) throws Exception {
    Optional<String> protectedThing = resource.of(request);
    if (protectedThing.isEmpty() || Admission.covers(request, protectedThing.get())) {
      return true;
    }
    List<String> headers = Collections.list(request.getHeaders(FenceHeader.NAME));
    if (headers.isEmpty()) {
      answer(
          response,
          PRECONDITION_REQUIRED,
          "Take the lock of this resource and send its fence in the header " + FenceHeader.NAME);
      return false;
    }
    Optional<Fence> fence =
        headers.size() == 1 ? FenceHeader.parse(headers.get(0)) : Optional.empty();
    if (fence.isEmpty()) {
      answer(response, BAD_REQUEST, "The header " + FenceHeader.NAME + " must be one number");
      return false;
    }
    try {
      check.check(protectedThing.get(), fence.get());
    } catch (StaleFenceException e) {
      refuse(response, e);
      return false;
    }
    Admission.grant(request, response, protectedThing.get(), fence.get());
    return true;
  }

  /** Answers a request whose handler failed because its fence was refused, unless it is too late or failed for another reason. */
  static boolean answersRefusal(
      HttpServletRequest request, HttpServletResponse response, Throwable error)
      throws IOException {
    Optional<Admission> admission = Admission.of(request);
    Optional<StaleFenceException> refusal =
        admission.flatMap(admitted -> admitted.refusalIn(error));
    if (refusal.isEmpty() || response.isCommitted()) {
      return false;
    }
    admission.get().beginAnswerAnew(response);
    refuse(response, refusal.get());
    return true;
  }

  private static void refuse(HttpServletResponse response, StaleFenceException reason)
      throws IOException {
    response.setHeader(FenceHeader.NAME, reason.fence().text());
    answer(response, FenceHeader.STALE, String.valueOf(reason.getMessage()));
  }

  private static void answer(HttpServletResponse response, int status, String text)
      throws IOException {
    response.setStatus(status);
    response.setContentType("text/plain;charset=UTF-8");
    response.getWriter().println(text);
  }
}
