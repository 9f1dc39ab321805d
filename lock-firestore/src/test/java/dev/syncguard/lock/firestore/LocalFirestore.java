package dev.syncguard.lock.firestore;

import com.google.api.gax.retrying.RetrySettings;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import java.time.Duration;

/** Google's client, connected to a server on this machine and to no other. */
final class LocalFirestore {

  static final String PROJECT = "demo-locks";

  private LocalFirestore() {}

  static Firestore connect(String emulatorHost) {
    return options(emulatorHost).build().getService();
  }

  static FirestoreOptions.Builder options(String emulatorHost) {
    if (!emulatorHost.startsWith("127.0.0.1:") && !emulatorHost.startsWith("[::1]:")) {
      throw new IllegalArgumentException("Tests talk to this machine only");
    }
    FirestoreOptions.Builder options = FirestoreOptions.newBuilder();
    options.setProjectId(PROJECT).setEmulatorHost(emulatorHost);
    options.setRetrySettings(retries(0));
    return options;
  }

  /** Returns settings with at most so many attempts for a call, or with as many as half a minute allows. */
  static RetrySettings retries(int mostAttempts) {
    return RetrySettings.newBuilder()
        .setMaxAttempts(mostAttempts)
        .setInitialRetryDelayDuration(Duration.ofMillis(20))
        .setRetryDelayMultiplier(1.5)
        .setMaxRetryDelayDuration(Duration.ofMillis(200))
        .setInitialRpcTimeoutDuration(Duration.ofSeconds(30))
        .setRpcTimeoutMultiplier(1)
        .setMaxRpcTimeoutDuration(Duration.ofSeconds(30))
        .setTotalTimeoutDuration(Duration.ofSeconds(30))
        .build();
  }
}
