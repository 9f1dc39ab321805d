package dev.syncguard.site;

import java.io.IOException;
import java.nio.file.Path;

/** {@code Main REPOSITORY DIRECTORY}: builds the site of a repository into a directory. */
final class Main {

  private Main() {}

  public static void main(String[] args) throws IOException {
    Site site = Site.read(Path.of(args[0]));
    Path target = Path.of(args[1]);
    site.write(target);
    System.out.println(site.pages().size() + " pages");
  }
}
