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

/** Serves a small forum and shows two devices of one reader side by side. */
@Command(
    name = "demo",
    description = {
      "Serves a small forum on a laptop and a phone, side by side in a browser, until Ctrl-C.",
      "Mark something on one and watch it arrive on the other. Forum and userscript manager"
          + " are emulated, the Power Reader userscript is the real one, the Firestore forgets all."
    })
final class ReaderDemoCommand implements Callable<Integer> {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private ReaderCommand reader;

  @Override
  public Integer call() {
    try (Signals signals = Signals.catching(Signals.ENDING);
        FirestoreServer server = FirestoreServer.builder()
            .port(0)
            .rules(DemoForum.firestoreRules())
            .requestLog(true)
            .start();
        FirestoreConsole console = FirestoreConsole.over(server, "demo-syncguard", true);
        Windows lesswrong = Windows.open(server, Site.LESSWRONG);
        Windows eaForum = Windows.open(server, Site.EA_FORUM)) {
      reader
          .output()
          .answer(
              console.describe(new JsonLine()
                  .add("ok", true)
                  .add("demo", lesswrong.demo())
                  .add("laptop", lesswrong.laptop.url())
                  .add("phone", lesswrong.phone.url())),
              lesswrong.demo());
      reader
          .output()
          .note("Open the address above in a browser. It shows a laptop and a phone side by side;"
              + " mark something on one and watch the other.");
      reader
          .output()
          .note("The laptop alone is " + lesswrong.laptop.url() + ", the phone "
              + lesswrong.phone.url() + ", the other forum " + eaForum.demo() + ".");
      console.note(reader.output());
      reader.output().note("Ctrl-C ends the demo and forgets everything.");
      var ended = new CompletableFuture<Void>();
      signals.cancellation().onCancel(() -> ended.complete(null));
      ended.join();
      return ExitCode.DONE;
    }
  }

  /** One forum as two devices see it. */
  private record Windows(DemoForum laptop, DemoForum phone) implements AutoCloseable {

    static Windows open(FirestoreServer server, Site site) {
      ForumContent content = SampleContent.before(Instant.now());
      Map<String, String> devices = new ConcurrentSkipListMap<>();
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
          .devices(devices)
          .start();
      devices.put(device, forum.url());
      return forum;
    }

    String demo() {
      return laptop.url() + "/demo";
    }

    @Override
    public void close() {
      laptop.close();
      phone.close();
    }
  }
}
