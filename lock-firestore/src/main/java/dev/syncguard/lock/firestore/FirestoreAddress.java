package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.lock.LockException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A database of Firestore and our collections in it, as one text. */
record FirestoreAddress(
    String project,
    @Nullable String database,
    @Nullable String collection,
    @Nullable String fences,
    boolean allowsUnsafeClock) {

  private static final Pattern FORM = Pattern.compile(
      "firestore://(?<project>[a-z0-9.:-]+)(?:/(?<database>[a-z0-9()-]+))?/?(?:\\?(?<settings>.*))?");

  static FirestoreAddress parse(String url) {
    Matcher matcher = FORM.matcher(url);
    if (!matcher.matches()) {
      throw malformed();
    }
    Map<String, String> settings = new LinkedHashMap<>();
    String text = matcher.group("settings");
    for (String setting : text == null || text.isEmpty() ? new String[0] : text.split("&", -1)) {
      int equals = setting.indexOf('=');
      if (equals < 1
          || settings.put(setting.substring(0, equals), setting.substring(equals + 1)) != null) {
        throw malformed();
      }
    }
    FirestoreAddress address = new FirestoreAddress(
        matcher.group("project"),
        matcher.group("database"),
        settings.remove("collection"),
        settings.remove("fences"),
        allows(settings.remove("unsafeClock")));
    if (!settings.isEmpty()) {
      throw malformed();
    }
    return address;
  }

  private static boolean allows(@Nullable String unsafeClock) {
    if (unsafeClock != null && !unsafeClock.equals("allow")) {
      throw malformed();
    }
    return unsafeClock != null;
  }

  private static LockException malformed() {
    return LockException.invalidArgument(
        "Write a Firestore store as firestore://PROJECT or firestore://PROJECT/DATABASE, with"
            + " ?collection=NAME and &fences=NAME if the collections are not locks and"
            + " fence_counters, and &unsafeClock=allow to lock by a clock that is off by 500 ms or"
            + " more");
  }

  FirestoreLockBackendBuilder configure(FirestoreLockBackendBuilder builder) {
    if (collection != null) {
      builder.collection(collection);
    }
    if (fences != null) {
      builder.fenceCollection(fences);
    }
    if (allowsUnsafeClock) {
      builder.allowUnsafeClock();
    }
    return builder;
  }

  FirestoreClient connect() {
    try {
      FirestoreOptions.Builder options = FirestoreOptions.newBuilder();
      options.setProjectId(project);
      if (database != null) {
        options.setDatabaseId(database);
      }
      return FirestoreClient.connect(options);
    } catch (RuntimeException e) {
      throw new LockException(
          LockException.Code.AUTH_FAILED,
          "There are no Google credentials here; run: gcloud auth application-default login, or"
              + " set GOOGLE_APPLICATION_CREDENTIALS, or FIRESTORE_EMULATOR_HOST for a local"
              + " server");
    }
  }
}
