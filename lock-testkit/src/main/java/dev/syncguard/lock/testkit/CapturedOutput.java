package dev.syncguard.lock.testkit;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Keeps what is printed to standard output and standard error, beside printing it, until it is closed. */
final class CapturedOutput implements AutoCloseable {

  private final PrintStream outBefore = System.out;
  private final PrintStream errBefore = System.err;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  CapturedOutput() {
    System.setOut(copying(outBefore));
    System.setErr(copying(errBefore));
  }

  private PrintStream copying(PrintStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8) {
      @Override
      public void write(byte[] bytes, int offset, int length) {
        printed.write(bytes, offset, length);
        super.write(bytes, offset, length);
      }

      @Override
      public void write(int b) {
        printed.write(b);
        super.write(b);
      }
    };
  }

  String text() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    System.setOut(outBefore);
    System.setErr(errBefore);
  }
}
