package dev.syncguard.fence;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Sends a fence along with each request, and turns the refusal of a late one into {@link StaleFenceException}.
 *
 * <p>The service has to check it, as the filter and the interceptor of {@code syncguard-fence-web} do. Thread-safe.
 */
public final class FencedHttpClient {

  private final HttpClient client;

  private FencedHttpClient(HttpClient client) {
    this.client = client;
  }

  /** Returns a client that sends through this one, which stays the caller's to close. */
  public static FencedHttpClient over(HttpClient client) {
    return new FencedHttpClient(client);
  }

  /** Sends a request under the fence of the lease; a lease that is lost is refused before anything is sent. */
  public <T> HttpResponse<T> send(
      Lease lease, HttpRequest request, HttpResponse.BodyHandler<T> body)
      throws IOException, InterruptedException {
    lease.ensureHeld(Duration.ZERO);
    return send(lease.fence(), request, body);
  }

  /** Sends a request with a fence, and returns the answer unless it is that the fence is too old. */
  public <T> HttpResponse<T> send(
      Fence fence, HttpRequest request, HttpResponse.BodyHandler<T> body)
      throws IOException, InterruptedException {
    HttpResponse<T> response = client.send(
        HttpRequest.newBuilder(request, (name, value) -> true)
            .setHeader(FenceHeader.NAME, fence.text())
            .build(),
        body);
    // Otherwise it is the answer to some other condition, such as If-Match, or the refusal of
    // somebody else's fence, passed on.
    List<String> refused = response.headers().allValues(FenceHeader.NAME);
    if (response.statusCode() == FenceHeader.STALE
        && refused.size() == 1
        && FenceHeader.parse(refused.get(0)).equals(Optional.of(fence))) {
      throw new StaleFenceException(fence);
    }
    return response;
  }
}
