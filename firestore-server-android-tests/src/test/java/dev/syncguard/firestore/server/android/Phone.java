package dev.syncguard.firestore.server.android;

import android.app.Application;
import com.google.android.gms.tasks.Task;
import com.google.firebase.FirebaseApp;
import com.google.firebase.FirebaseOptions;
import com.google.firebase.FirebasePlatform;
import com.google.firebase.auth.FirebaseAuth;
import com.google.firebase.firestore.FirebaseFirestore;
import com.google.firebase.firestore.FirebaseFirestoreSettings;
import com.google.firebase.firestore.MemoryCacheSettings;
import com.google.firebase.firestore.PersistentCacheSettings;
import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An app on a phone: the SDK for Android with its storage and its connection. */
final class Phone implements AutoCloseable {
  private static volatile Path files = Path.of("");
  private static int phones;

  static {
    Map<String, String> preferences = new ConcurrentHashMap<>();
    FirebasePlatform.Companion.initializeFirebasePlatform(new FirebasePlatform() {
      @Override
      public void store(String key, String value) {
        preferences.put(key, value);
      }

      @Override
      public @Nullable String retrieve(String key) {
        return preferences.get(key);
      }

      @Override
      public void clear(String key) {
        preferences.remove(key);
      }

      @Override
      public void log(String message) {}

      @Override
      public File getDatabasePath(String name) {
        return files.resolve(name).toFile();
      }
    });
  }

  private final FirebaseApp app;
  private final int port;
  private FirebaseFirestore firestore;

  private Phone(int port, boolean persistent) {
    this.port = port;
    FirebaseOptions options = new FirebaseOptions.Builder()
        .setProjectId("demo")
        .setApplicationId("1:1234567890:android:0123456789abcdef")
        .setApiKey("key")
        .build();
    this.app = FirebaseApp.initializeApp(new Application(), options, "phone" + phones++);
    this.firestore = open(persistent);
  }

  /** Forgets everything when it is closed. */
  static Phone connectedTo(int port) {
    return new Phone(port, false);
  }

  /** Keeps its cache and what it could not send in a directory. */
  static Phone keeping(Path directory, int port) {
    files = directory;
    return new Phone(port, true);
  }

  private FirebaseFirestore open(boolean persistent) {
    FirebaseFirestore opened = FirebaseFirestore.getInstance(app);
    opened.setFirestoreSettings(new FirebaseFirestoreSettings.Builder()
        .setHost("127.0.0.1:" + port)
        .setSslEnabled(false)
        .setLocalCacheSettings(
            persistent
                ? PersistentCacheSettings.newBuilder().build()
                : MemoryCacheSettings.newBuilder().build())
        .build());
    return opened;
  }

  FirebaseFirestore firestore() {
    return firestore;
  }

  /** Ends the client and makes a new one, as when an app that keeps its cache is started again. */
  void restart() throws Exception {
    await(firestore.terminate());
    firestore = open(true);
  }

  void signIn(SignIn where) throws Exception {
    FirebaseAuth auth = FirebaseAuth.getInstance(app);
    auth.useEmulator("127.0.0.1", where.port());
    await(auth.signInAnonymously());
  }

  static <T> T await(Task<T> task) throws Exception {
    CompletableFuture<T> done = new CompletableFuture<>();
    task.addOnCompleteListener(Runnable::run, ended -> {
      if (ended.isSuccessful()) {
        done.complete(ended.getResult());
      } else {
        done.completeExceptionally(ended.getException());
      }
    });
    return done.get(120, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws Exception {
    await(firestore.terminate());
    app.delete();
  }
}
