package dev.syncguard.fence;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.testkit.LateHolder;
import java.io.IOException;
import java.nio.file.Path;

/** A process that writes a file under a lock. */
final class FileHolder {

  private FileHolder() {}

  /** Arguments: the file, file of the locks, key. */
  public static void main(String[] args) throws IOException {
    FileFenceGuard guard = FileFenceGuard.of(Path.of(args[0]));
    try (SqliteLockBackend backend = SqliteLockBackend.open(Path.of(args[1]))) {
      LateHolder.live(backend, args[2], new LateHolder.Resource() {
        @Override
        public void write(Lease lease, String text) throws IOException {
          guard.write(lease, out -> out.write(text.getBytes(UTF_8)));
        }

        @Override
        public void write(Fence fence, String text) throws IOException {
          guard.write(fence, out -> out.write(text.getBytes(UTF_8)));
        }
      });
    }
  }
}
