package dev.syncguard.fence.web;

import dev.syncguard.fence.FencedHttpClient;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.testkit.LateHolder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;

/** A process that writes by a service under a lock. */
final class HttpHolder {

  private HttpHolder() {}

  /** Arguments: address of the service, file of the locks, key. */
  public static void main(String[] args) throws IOException {
    URI address = URI.create(args[0]);
    FencedHttpClient client = FencedHttpClient.over(HttpClient.newHttpClient());
    try (SqliteLockBackend backend = SqliteLockBackend.open(Path.of(args[1]))) {
      LateHolder.live(backend, args[2], new LateHolder.Resource() {
        @Override
        public void write(Lease lease, String text) throws Exception {
          client.send(lease, FenceOverHttpContract.put(address, text), BodyHandlers.discarding());
        }

        @Override
        public void write(Fence fence, String text) throws Exception {
          client.send(fence, FenceOverHttpContract.put(address, text), BodyHandlers.discarding());
        }
      });
    }
  }
}
