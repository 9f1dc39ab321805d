package dev.syncguard.benchmarks.startup;

/** A program that does nothing. */
final class Nothing {

  private Nothing() {}

  public static void main(String[] args) {}
}
