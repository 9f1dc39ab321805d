package dev.syncguard.sync.simulation;

import dev.syncguard.sync.ForumIdentity;
import dev.syncguard.sync.Http;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The way from a tab to the servers: it takes its time, and loses, delays, reorders, doubles and falsifies. */
final class Network {

  /** What can go wrong with a request. */
  private enum Trouble {
    REQUEST_LOST,
    REPLY_LOST,
    ARRIVES_LATE,
    ARRIVES_TWICE,
    REPLY_COMES_TWICE,
    REFUSED_BY_SOMEBODY,
    REPLY_FALSIFIED,
    SILENCE
  }

  private static final Trouble[] TROUBLES = Trouble.values();
  private static final int LATE = 60_000;
  private static final long FORUM_TIMEOUT = 15_000;

  private final Scene scene;
  private final World world;
  private Weather weather;

  /** Whether the server has no quota left for writes. */
  boolean refusesWrites;

  /** How often its quota for writes has run out. */
  int shortages;

  Network(Scene scene, Weather weather) {
    this.scene = scene;
    this.world = scene.world;
    this.weather = weather;
  }

  void calmDown() {
    weather = Weather.FAIR;
  }

  void send(Tab tab, Http.Request request, Consumer<Http.Reply> callback) {
    Traffic.Sent sent = tab.traffic.send(request);
    Consumer<Http.Reply> deliver = reply -> tab.act(() -> {
      tab.traffic.heard(sent, reply);
      callback.accept(reply);
    });
    if (tab.device.offline) {
      deliverLater(
          deliver, new Http.Failure(world.oneIn(8) ? Http.Cause.REFUSED : Http.Cause.OFFLINE));
      return;
    }
    Supplier<Http.Answer> proxy = tab.device.proxy;
    if (proxy != null) {
      world.say(() -> "a proxy answers " + sent);
      world.after(delay(), () -> deliverLater(deliver, proxy.get()));
      return;
    }
    if (!world.chance(weather.trouble())) {
      world.after(delay(), () -> deliverLater(deliver, arrive(sent)));
      return;
    }
    Trouble trouble = TROUBLES[world.below(TROUBLES.length)];
    world.say(() -> "the network: " + sent + ": " + trouble);
    switch (trouble) {
      case REQUEST_LOST -> fail(request, deliver);
      case REPLY_LOST -> {
        world.after(delay(), () -> arrive(sent));
        fail(request, deliver);
      }
      case ARRIVES_LATE -> {
        world.after(
            request.timeoutMillis() / 2 + world.below(LATE),
            () -> deliverLater(deliver, arrive(sent)));
        fail(request, deliver);
      }
      case ARRIVES_TWICE -> {
        world.after(delay(), () -> deliverLater(deliver, arrive(sent)));
        world.after(delay() + world.below(LATE), () -> arrive(sent));
      }
      case REPLY_COMES_TWICE ->
        world.after(delay(), () -> {
          Http.Reply reply = arrive(sent);
          deliverLater(deliver, reply);
          deliverLater(deliver, reply);
        });
      case REFUSED_BY_SOMEBODY -> world.after(delay(), () -> deliverLater(deliver, refusal()));
      case REPLY_FALSIFIED ->
        world.after(delay(), () -> {
          arrive(sent);
          deliverLater(deliver, falsified());
        });
      case SILENCE -> {
        if (world.oneIn(2)) {
          world.after(delay(), () -> arrive(sent));
        }
      }
    }
  }

  private Http.Answer arrive(Traffic.Sent sent) {
    if (refusesWrites && sent.request().method() == Http.Method.POST) {
      world.say(() -> "the server: " + sent + " -> 429");
      return error(429, "RESOURCE_EXHAUSTED");
    }
    Cloud.Answered answered =
        scene.cloud.answer(sent.request(), sent.from().device.isFarOff());
    Cloud.Written written = answered.written();
    world.say(() -> "the server: " + sent + " -> " + answered.answer().status()
        + (written == null ? "" : " now " + written.after()));
    if (written != null) {
      sent.applied(world.now());
      new CommitJudge(scene).committed(sent, written);
      sent.from().traffic.applied(sent, written);
    }
    sent.from().traffic.answered(answered.answer());
    return answered.answer();
  }

  private void fail(Http.Request request, Consumer<Http.Reply> deliver) {
    if (world.oneIn(2)) {
      world.after(
          request.timeoutMillis(), () -> deliver.accept(new Http.Failure(Http.Cause.TIMEOUT)));
    } else {
      deliverLater(deliver, new Http.Failure(Http.Cause.OFFLINE));
    }
  }

  private void deliverLater(Consumer<Http.Reply> deliver, Http.Reply reply) {
    world.after(delay(), () -> deliver.accept(reply));
  }

  private int delay() {
    return 5 + world.below(weather.slowness() * (world.oneIn(20) ? 20 : 1) + 1);
  }

  private Http.Answer refusal() {
    return switch (world.below(9)) {
      case 0 -> error(403, "PERMISSION_DENIED");
      case 1 -> error(404, "NOT_FOUND");
      case 2 -> new Http.Answer(404, "<html>no such page</html>", null);
      case 3 -> error(409, "ABORTED");
      case 4 -> error(429, "RESOURCE_EXHAUSTED");
      case 5 -> error(500, "INTERNAL");
      case 6 -> error(503, "UNAVAILABLE");
      case 7 -> new Http.Answer(502, "<html>bad gateway</html>", scene.cloud.date());
      default -> error(400, "FAILED_PRECONDITION");
    };
  }

  /** An answer to something that did arrive. */
  private Http.Answer falsified() {
    return switch (world.below(6)) {
      case 0 -> error(504, "DEADLINE_EXCEEDED");
      case 1 -> error(500, "INTERNAL");
      case 2 -> new Http.Answer(200, "{}", scene.cloud.date());
      case 3 -> new Http.Answer(200, "{\"writeResults\":[{\"updateTime\":", scene.cloud.date());
      case 4 -> new Http.Answer(200, "<html>please log in to the airport</html>", null);
      default ->
        new Http.Answer(200, "{\"writeResults\":[{\"updateTime\":\"\"}]}", scene.cloud.date());
    };
  }

  private Http.Answer error(int code, String status) {
    return new Http.Answer(
        code, Cloud.error(code, status, "no"), world.oneIn(2) ? scene.cloud.date() : null);
  }

  void askForum(Tab tab, Consumer<ForumIdentity.Answer> heard) {
    long asked = world.now();
    Consumer<ForumIdentity.Answer> callback = answer -> {
      // Nobody waits for an answer for ever, and one that comes later says nothing.
      if (answer instanceof ForumIdentity.User user && world.now() - asked < FORUM_TIMEOUT) {
        scene.ledger.identified(tab, user.id());
      }
      heard.accept(answer);
    };
    if (forumFails(tab)) {
      answer(tab, new ForumIdentity.Unknown(), callback);
      return;
    }
    world.after(delay(), () -> answer(tab, whoIs(tab), callback));
  }

  private ForumIdentity.Answer whoIs(Tab tab) {
    String user = tab.device.session(tab.site);
    if (user == null) {
      return new ForumIdentity.Anonymous();
    }
    if (world.chance(weather.trouble() / 20)) {
      return world.oneIn(2) ? new ForumIdentity.Denied() : new ForumIdentity.Nameless();
    }
    return new ForumIdentity.User(user, scene.forum.overrides(new Forum.Account(tab.site, user)));
  }

  void tellForum(
      Tab tab, String userId, String overrides, Consumer<ForumIdentity.Answer> callback) {
    boolean lost = forumFails(tab);
    if (lost && world.oneIn(2)) {
      answer(tab, new ForumIdentity.Unknown(), callback);
      return;
    }
    world.after(delay(), () -> {
      if (!userId.equals(tab.device.session(tab.site))) {
        answer(tab, new ForumIdentity.Unknown(), callback);
        return;
      }
      world.say(() -> "the forum: " + tab + " stores a secret");
      scene.forum.setOverrides(new Forum.Account(tab.site, userId), overrides);
      answer(
          tab,
          lost ? new ForumIdentity.Unknown() : new ForumIdentity.User(userId, overrides),
          callback);
    });
  }

  private boolean forumFails(Tab tab) {
    return tab.device.offline || world.chance(weather.trouble() / 3);
  }

  private void answer(
      Tab tab, ForumIdentity.Answer answer, Consumer<ForumIdentity.Answer> callback) {
    world.after(delay(), () -> tab.act(() -> callback.accept(answer)));
  }
}
