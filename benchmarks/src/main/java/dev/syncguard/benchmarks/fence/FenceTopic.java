package dev.syncguard.benchmarks.fence;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.benchmarks.LoadTable;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.postgres.PostgresServer;
import dev.syncguard.benchmarks.redis.RedisServer;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.fence.FencedHttpClient;
import dev.syncguard.fence.FileFenceGuard;
import dev.syncguard.fence.JdbcFenceGuard;
import dev.syncguard.fence.RedisFenceGuard;
import dev.syncguard.fence.firestore.FirestoreFenceGuard;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.lock.Fence;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.h2.jdbcx.JdbcDataSource;
import redis.clients.jedis.RedisClient;

/** Writes that a guard checks beside the same writes without it. */
public final class FenceTopic implements Topic {

  private static final String UNCHECKED = "unchecked";
  private static final String CHECKED = "checked";
  private static final Fence FENCE = new Fence(42);
  private static final byte[] KILOBYTE = new byte[1024];

  @Override
  public String name() {
    return "fence";
  }

  @Override
  public String title() {
    return "What it costs to check a fence";
  }

  @Override
  public List<Section> measure(Setting setting) throws Exception {
    return List.of(
        postgres(setting),
        sqlite(setting),
        mariaDb(setting),
        h2(setting),
        redis(setting),
        firestore(setting),
        file(setting),
        http(setting));
  }

  private static Section postgres(Setting setting) throws Exception {
    Path directory = Files.createDirectories(setting.files().onDisk("postgres"));
    try (PostgresServer server = PostgresServer.start(directory);
        Connection connection = DriverManager.getConnection(
            "jdbc:" + server.url().replace("postgres@", "") + "?user=postgres")) {
      return database(
          setting,
          "PostgreSQL",
          "A transaction that updates one row and waits for the disk; checked, it begins with the"
              + " check of a fence, one more round trip.",
          connection,
          JdbcFenceGuard.postgres());
    }
  }

  private static Section sqlite(Setting setting) throws Exception {
    try (Connection connection =
        DriverManager.getConnection("jdbc:sqlite:" + setting.files().onDisk("resource.db"))) {
      return database(
          setting,
          "SQLite",
          "The same in an SQLite file with the settings that it has by itself.",
          connection,
          JdbcFenceGuard.sqlite());
    }
  }

  private static Section mariaDb(Setting setting) throws Exception {
    try (MariaDbServer server = MariaDbServer.start(setting.files().onDisk("mariadb"));
        Connection connection = server.connect()) {
      return database(
          setting,
          "MariaDB",
          "The same in MariaDB, with the settings that it has by itself.",
          connection,
          JdbcFenceGuard.mysql());
    }
  }

  private static Section h2(Setting setting) throws Exception {
    try (Connection connection =
        DriverManager.getConnection("jdbc:h2:" + setting.files().onDisk("h2").toAbsolutePath())) {
      return database(
          setting,
          "H2",
          "The same in an H2 file inside this process.",
          connection,
          JdbcFenceGuard.h2());
    }
  }

  private static Section firestore(Setting setting) throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().start();
        Firestore client = FirestoreOptions.newBuilder()
            .setProjectId("demo-benchmarks")
            .setEmulatorHost(server.emulatorHost())
            .build()
            .getService()) {
      DocumentReference bare = client.document("resources/unchecked");
      DocumentReference checked = client.document("resources/checked");
      FirestoreFenceGuard guard = FirestoreFenceGuard.over(client);
      return compare(
          setting,
          "Firestore",
          "One document is set, in our own server in memory; checked, a transaction that reads it"
              + " first.",
          () -> bare.set(Map.of("value", 1)).get(),
          () -> guard.write(FENCE, checked, Map.of("value", 1)));
    }
  }

  private static Section database(
      Setting setting, String title, String text, Connection connection, JdbcFenceGuard guard)
      throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE resource (id INTEGER PRIMARY KEY, balance BIGINT)");
      statement.execute("INSERT INTO resource VALUES (1, 0)");
    }
    guard.setupSchema(connection);
    connection.setAutoCommit(false);
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE resource SET balance = balance + 1 WHERE id = 1")) {
      return compare(setting, title, text, () -> commit(connection, update), () -> {
        guard.check(connection, "resource", FENCE);
        commit(connection, update);
      });
    }
  }

  private static void commit(Connection connection, PreparedStatement update) throws SQLException {
    if (update.executeUpdate() != 1) {
      throw new IllegalStateException("There was no row");
    }
    connection.commit();
  }

  private static Section redis(Setting setting) throws Exception {
    try (RedisServer server = RedisServer.start(setting.files().onDisk("redis"));
        RedisClient client = RedisClient.create(server.url())) {
      RedisFenceGuard guard = RedisFenceGuard.over(client::eval);
      return compare(
          setting,
          "Redis",
          "One SET; checked, the script of the guard.",
          () -> client.set("resource", "value"),
          () -> guard.write(FENCE, "resource", "value"));
    }
  }

  private static Section file(Setting setting) throws Exception {
    Path bare = Files.createDirectories(setting.files().onDisk("unchecked"));
    Path checked = Files.createDirectories(setting.files().onDisk("checked"));
    FileFenceGuard guard = FileFenceGuard.of(checked.resolve("report"));
    return compare(
        setting,
        "A file",
        "1 KB that is brought to the disk, file and directory, and renamed; checked, by the guard.",
        () -> replace(bare),
        () -> guard.write(FENCE, out -> out.write(KILOBYTE)));
  }

  private static void replace(Path directory) throws IOException {
    Path draft = directory.resolve("draft");
    try (FileChannel channel =
        FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(KILOBYTE));
      channel.force(true);
    }
    Files.move(draft, directory.resolve("report"), StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  private static Section http(Setting setting) throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:ledger;DB_CLOSE_DELAY=-1");
    HttpClient plain = HttpClient.newHttpClient();
    FencedHttpClient fenced = FencedHttpClient.over(plain);
    try (LedgerService service = new LedgerService(setting.files().onDisk("tomcat"), database)) {
      HttpRequest bare = service.put("bare");
      HttpRequest guarded = service.put("guarded");
      return compare(
          setting,
          "HTTP",
          "A PUT to a service that updates a row in an H2 database in memory; checked, with a fence"
              + " that its filter raises in a transaction of its own.",
          () -> requireDone(plain.send(bare, BodyHandlers.discarding())),
          () -> requireDone(fenced.send(FENCE, guarded, BodyHandlers.discarding())));
    }
  }

  private static void requireDone(HttpResponse<Void> response) {
    if (response.statusCode() != 200) {
      throw new IllegalStateException("The service answered " + response.statusCode());
    }
  }

  private static Section compare(
      Setting setting,
      String title,
      String text,
      Participant.Worker unchecked,
      Participant.Worker checked)
      throws Exception {
    LoadTable table = LoadTable.measure(
        title,
        setting.rounds(),
        new Load(1, setting.pace().slice(), setting.pace().warmUp()),
        List.of(new Writes(UNCHECKED, unchecked), new Writes(CHECKED, checked)),
        List.of(UNCHECKED));
    Panel panel = new Panel(
        title + ": p50 of a write × " + UNCHECKED,
        table.series().names().stream()
            .map(name -> new Bar(
                name,
                table.series().ratio(name, UNCHECKED, Slice::p50Micros),
                name.equals(CHECKED)))
            .toList(),
        Optional.empty());
    return new Section(title, text, table.header(), table.rows(), List.of(), List.of(panel));
  }
}
