package dev.syncguard.userscript.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.syncguard.sync.Site;
import dev.syncguard.userscript.Userscript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A forum on the loopback interface whose pages load the userscript, with the functions of a userscript manager emulated.
 *
 * <p>One instance is one origin and so, to the script, one device. Several can show the same content. Threads may share
 * it.
 */
public final class DemoForum implements AutoCloseable {

  private static final Pattern CONNECT = Pattern.compile("(?m)^// @connect\\s+(\\S+)");

  private final Site site;
  private final String device;
  private final ForumContent content;
  private final Userscript script;
  private final Map<String, String> devices;
  private final HttpServer server;
  private final ExecutorService threads;
  private final GraphQl graphQl;
  private final GmRelay relay;

  private DemoForum(Builder builder) throws IOException {
    site = builder.site;
    device = builder.device;
    content = builder.content;
    devices = builder.devices;
    script = Userscript.shipped()
        .talkingTo(builder.project, "demo-key", builder.firestore + "/v1")
        .on(site.id());
    graphQl = new GraphQl(content, site == Site.EA_FORUM);
    relay = new GmRelay(builder.firestore);
    threads = Executors.newCachedThreadPool(task -> {
      Thread thread = new Thread(task, "demo-forum");
      thread.setDaemon(true);
      return thread;
    });
    server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), builder.port), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Returns a builder for a forum whose script syncs with the Firestore at {@code http://host:port}. */
  public static Builder over(URI firestore) {
    return new Builder(firestore);
  }

  /** Returns the security rules for the Firestore behind the forum: those that the product ships. */
  public static String firestoreRules() {
    return Resources.text("firestore.rules");
  }

  /** Returns the address of the front page, without a slash at the end. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Returns the script as the pages load it. */
  public Userscript script() {
    return script;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (path.startsWith(GmRelay.PATH)) {
        relay.handle(exchange);
      } else if (path.equals("/graphql")) {
        var request = new GraphQlRequest(body(exchange));
        Replies.send(exchange, 200, "application/json", graphQl.answer(request, visitor(exchange)));
      } else if (path.equals("/power-reader.user.js")) {
        Replies.send(exchange, 200, "text/javascript", script.text());
      } else if (path.equals("/power-reader.user.js.map")) {
        Replies.send(exchange, 200, "application/json", Userscript.sourceMap());
      } else if (path.equals("/gm.js")) {
        Replies.send(exchange, 200, "text/javascript", gm());
      } else if (path.equals("/login")) {
        exchange
            .getResponseHeaders()
            .add("Set-Cookie", cookie() + "=" + login(exchange) + "; Path=/; SameSite=Lax");
        Replies.redirect(exchange, "/");
      } else if (path.equals("/demo")) {
        Replies.send(exchange, 200, "text/html", new DemoPage(site, devices).html());
      } else if (path.equals("/demo/write")) {
        SampleContent.somebodyWrites(content, Clock.systemUTC().instant());
        Replies.redirect(exchange, "/");
      } else if (path.equals("/favicon.ico")) {
        Replies.send(exchange, 204, "text/plain", "");
      } else {
        Replies.send(exchange, 200, "text/html", page(exchange));
      }
    }
  }

  private String gm() {
    List<String> hosts = new ArrayList<>();
    Matcher matcher = CONNECT.matcher(script.text());
    while (matcher.find()) {
      hosts.add(Text.json(matcher.group(1)));
    }
    return Resources.text("gm.js").replace("/*CONNECT*/[]/*CONNECT*/", hosts.toString());
  }

  private String page(HttpExchange exchange) {
    return new FrontPage(site, device, content, visitor(exchange), devices).html();
  }

  /** Cookies do not know ports, so each device gets one of its own name. */
  private String cookie() {
    return "demo-user-" + server.getAddress().getPort();
  }

  private static String login(HttpExchange exchange) {
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    return query.startsWith("as=") ? query.substring(3).replaceAll("[^a-z]", "") : "";
  }

  /** Returns who is logged in: the first member, unless somebody chose otherwise. */
  private Optional<Member> visitor(HttpExchange exchange) {
    for (String header : exchange.getRequestHeaders().getOrDefault("Cookie", List.of())) {
      for (String pair : header.split(";\\s*", -1)) {
        if (pair.startsWith(cookie() + "=")) {
          return content.member(pair.substring(cookie().length() + 1));
        }
      }
    }
    return content.members().stream().findFirst();
  }

  private static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Collects what a forum should be like. */
  public static final class Builder {
    private final URI firestore;
    private Site site = Site.LESSWRONG;
    private String device = "";
    private ForumContent content = new ForumContent();
    private String project = "demo-syncguard";
    private int port;
    private Map<String, String> devices = Map.of();

    private Builder(URI firestore) {
      this.firestore = firestore;
    }

    /** Sets which forum this is. The default is LessWrong. */
    public Builder site(Site value) {
      this.site = value;
      return this;
    }

    /** Sets what the front page calls the device. The default is nothing. */
    public Builder device(String value) {
      this.device = value;
      return this;
    }

    /** Sets what the forum knows; several forums may share it. The default is nothing. */
    public Builder content(ForumContent value) {
      this.content = value;
      return this;
    }

    /** Sets the Firebase project of the documents. The default is {@code demo-syncguard}. */
    public Builder project(String value) {
      this.project = value;
      return this;
    }

    /** Sets the port. The default is 0, which takes any that is free. */
    public Builder port(int value) {
      this.port = value;
      return this;
    }

    /** Sets the devices of this forum: address by name. The map may fill up later, when all addresses are known. */
    public Builder devices(Map<String, String> value) {
      this.devices = value;
      return this;
    }

    /** Starts the forum. */
    public DemoForum start() {
      try {
        return new DemoForum(this);
      } catch (IOException e) {
        throw new UncheckedIOException("The demo forum cannot listen on port " + port, e);
      }
    }
  }
}
