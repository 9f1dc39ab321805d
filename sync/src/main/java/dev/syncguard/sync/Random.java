package dev.syncguard.sync;

/** Chance, for names that nobody may guess and pauses that nobody shares. */
public interface Random {

  /** Returns a random UUID in its usual form of 36 characters, from a source that is fit for secrets. */
  String uuid();

  /** Returns a number from 0 up to, but without, {@code bound}. */
  int below(int bound);
}
