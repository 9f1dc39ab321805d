package dev.syncguard.lock.runtime;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this machine calls itself. */
public final class HostName {

  private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");
  private static final int LONGEST = 64;

  private HostName() {}

  /** Returns a name of letters, digits, dots and hyphens. Asks no name server where the kernel can tell. */
  public static String ofThisMachine() {
    String name = read().strip().replaceAll("[^A-Za-z0-9._-]", "?");
    return name.isEmpty() ? "an unnamed host" : name.substring(0, Math.min(LONGEST, name.length()));
  }

  private static String read() {
    try {
      return Files.readString(KERNEL);
    } catch (IOException e) {
      // Not a Linux.
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "";
    }
  }
}
