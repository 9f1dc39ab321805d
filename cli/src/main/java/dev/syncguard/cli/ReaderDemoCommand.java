package dev.syncguard.cli;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.sync.Site;
import dev.syncguard.userscript.demo.DemoForum;
import dev.syncguard.userscript.demo.ForumContent;
import dev.syncguard.userscript.demo.SampleContent;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** Serves a small forum for two browser windows that are two devices of one reader. */
@Command(
    name = "demo",
    description = {
      "Serves a small forum with the Power Reader userscript until Ctrl-C, to watch a",
      "mark travel from one browser window to another. The forum and the userscript",
      "manager are emulated, the script is the real one, the Firestore forgets all."
    })
final class ReaderDemoCommand implements Callable<Integer> {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private ReaderCommand reader;

  @Override
  public Integer call() {
    Map<String, String> devices = new ConcurrentSkipListMap<>();
    try (Signals signals = Signals.catching(Signals.ENDING);
        FirestoreServer server =
            FirestoreServer.builder().port(0).rules(DemoForum.firestoreRules()).start();
        Windows lesswrong = Windows.open(server, Site.LESSWRONG, devices);
        Windows eaForum = Windows.open(server, Site.EA_FORUM, devices)) {
      reader
          .output()
          .answer(
              new JsonLine()
                  .add("ok", true)
                  .add("laptop", lesswrong.laptop.url())
                  .add("phone", lesswrong.phone.url()),
              lesswrong.laptop.url());
      reader
          .output()
          .note(
              "Open the address above in a browser. It is the laptop, and its front page says what"
                  + " is real.");
      reader
          .output()
          .note("The phone is " + lesswrong.phone.url() + ", the other forum "
              + eaForum.laptop.url() + ".");
      reader.output().note("Ctrl-C ends the demo and forgets everything.");
      var ended = new CompletableFuture<Void>();
      signals.cancellation().onCancel(() -> ended.complete(null));
      ended.join();
      return ExitCode.DONE;
    }
  }

  /** One forum as two devices see it. */
  private record Windows(DemoForum laptop, DemoForum phone) implements AutoCloseable {

    static Windows open(FirestoreServer server, Site site, Map<String, String> devices) {
      ForumContent content = SampleContent.before(Instant.now());
      return new Windows(
          window(server, site, content, "laptop", devices),
          window(server, site, content, "phone", devices));
    }

    private static DemoForum window(
        FirestoreServer server,
        Site site,
        ForumContent content,
        String device,
        Map<String, String> devices) {
      DemoForum forum = DemoForum.over(URI.create("http://" + server.emulatorHost()))
          .site(site)
          .device(device)
          .content(content)
          .otherDevices(devices)
          .start();
      devices.put(
          (site == Site.EA_FORUM ? "EA Forum on the " : "LessWrong on the ") + device, forum.url());
      return forum;
    }

    @Override
    public void close() {
      laptop.close();
      phone.close();
    }
  }
}
