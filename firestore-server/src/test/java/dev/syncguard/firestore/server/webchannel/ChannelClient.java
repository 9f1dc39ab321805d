package dev.syncguard.firestore.server.webchannel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A client that speaks WebChannel a request at a time, and looks at every byte of the answers. */
public final class ChannelClient {
  static final String DATABASE = "projects/p/databases/(default)";
  static final String ORIGIN = "http://localhost:5173";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** A message of the server with its number. */
  public record Array(long id, JsonNode content) {
    boolean isNoop() {
      return content.path(0).asText().equals("noop");
    }
  }

  private static final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String url;
  private String session = "";
  private String origin = ORIGIN;

  public ChannelClient(String host, String method) {
    this(host, method, DATABASE);
  }

  ChannelClient(String host, String method, String database) {
    this.url = "http://" + host + "/google.firestore.v1.Firestore/" + method
        + "/channel?VER=8&database=" + encoded(database);
  }

  /** Opens a session as the administrator, with these messages, and remembers its id. */
  public ChannelClient open(String... messages) throws Exception {
    HttpResponse<String> answer = handshake("Authorization:Bearer owner\r\n", messages);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode welcome = frames(answer.body()).get(0).content();
    session = welcome.get(1).asText();
    return this;
  }

  HttpResponse<String> handshake(String headers, String... messages) throws Exception {
    return post("&RID=1&CVER=22&t=1", "headers=" + encoded(headers) + "&" + form(0, messages));
  }

  /** Sends messages, the first of which has this number. */
  public HttpResponse<String> send(long offset, String... messages) throws Exception {
    return send(form(offset, messages));
  }

  HttpResponse<String> send(String form) throws Exception {
    return post("&SID=" + session + "&RID=2&AID=0", form);
  }

  static String form(long offset, String... messages) {
    StringBuilder form = new StringBuilder("count=" + messages.length + "&ofs=" + offset);
    for (int i = 0; i < messages.length; i++) {
      form.append("&req").append(i).append("___data__=").append(encoded(messages[i]));
    }
    return form.toString();
  }

  HttpResponse<String> post(String parameters, String body) throws Exception {
    return http.send(
        request(parameters)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  /** Leaves a request hanging. */
  public Poll poll(long acknowledged, boolean isLong) throws Exception {
    return poll("&AID=" + acknowledged + "&CI=" + (isLong ? 1 : 0));
  }

  Poll poll(String parameters) throws Exception {
    return new Poll(http.send(
        request("&SID=" + session + "&RID=rpc&TYPE=xmlhttp" + parameters).GET().build(),
        BodyHandlers.ofInputStream()));
  }

  HttpResponse<String> terminate() throws Exception {
    return post("&SID=" + session + "&RID=9&TYPE=terminate", "");
  }

  /** Says goodbye as an image would be asked for. */
  int terminateByImage() throws Exception {
    return http.send(
            request("&SID=" + session + "&RID=9&TYPE=terminate").GET().build(),
            BodyHandlers.ofString())
        .statusCode();
  }

  private HttpRequest.Builder request(String parameters) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(url + parameters)).timeout(Duration.ofSeconds(60));
    return origin.isEmpty() ? builder : builder.header("Origin", origin);
  }

  ChannelClient from(String other) {
    origin = other;
    return this;
  }

  ChannelClient as(String id) {
    session = id;
    return this;
  }

  String session() {
    return session;
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /** Cuts a whole answer into its messages, and fails unless it is frames to its last byte. */
  static List<Array> frames(String body) throws IOException {
    List<Array> arrays = new ArrayList<>();
    int start = 0;
    while (start < body.length()) {
      int line = body.indexOf('\n', start);
      int end = line + 1 + Integer.parseInt(body.substring(start, line));
      JSON.readTree(body.substring(line + 1, end))
          .forEach(array -> arrays.add(new Array(array.get(0).asLong(), array.get(1))));
      start = end;
    }
    return arrays;
  }

  /** A request that hangs. */
  public static final class Poll implements AutoCloseable {
    private final HttpResponse<InputStream> answer;

    Poll(HttpResponse<InputStream> answer) {
      this.answer = answer;
    }

    int status() {
      return answer.statusCode();
    }

    HttpResponse<InputStream> answer() {
      return answer;
    }

    /** Returns all messages until the answer ends. */
    public List<Array> rest() throws IOException {
      return frames(new String(answer.body().readAllBytes(), UTF_8));
    }

    /** Returns the messages of the next frame, or none at the end. */
    List<Array> next() throws IOException {
      StringBuilder length = new StringBuilder();
      int b = answer.body().read();
      while (b >= 0 && b != '\n') {
        length.append((char) b);
        b = answer.body().read();
      }
      if (b < 0) {
        return List.of();
      }
      byte[] json = answer.body().readNBytes(Integer.parseInt(length.toString()));
      return frames(length + "\n" + new String(json, UTF_8));
    }

    /** Returns so many messages that are none without content. */
    List<Array> next(int count) throws IOException {
      List<Array> found = new ArrayList<>();
      while (found.size() < count) {
        List<Array> frame = next();
        assertThat(frame).as("the answer has ended after " + found).isNotEmpty();
        frame.stream().filter(array -> !array.isNoop()).forEach(found::add);
      }
      return found;
    }

    @Override
    public void close() throws IOException {
      answer.body().close();
    }
  }
}
