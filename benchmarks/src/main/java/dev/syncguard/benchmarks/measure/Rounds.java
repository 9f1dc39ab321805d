package dev.syncguard.benchmarks.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Interleaved rounds: in each, everybody is measured once, shortly and in a new order.
 *
 * <p>What disturbs the machine for seconds then disturbs all of them, and ratios taken inside a round hardly change.
 *
 * @param count how many rounds count
 * @param warmUps how many come before and do not
 * @param progress is told what happens
 */
public record Rounds(int count, int warmUps, Consumer<String> progress) {

  // Fixed, so that the order is no reason for two runs to differ.
  private static final long SEED = 20_260_101;

  /** Measures all of them, each by its name, in all rounds. */
  public <T> Series<T> run(String title, Map<String, Callable<T>> participants) throws Exception {
    Map<String, List<T>> results = new LinkedHashMap<>();
    participants.keySet().forEach(name -> results.put(name, new ArrayList<>()));
    List<Map.Entry<String, Callable<T>>> order = new ArrayList<>(participants.entrySet());
    Random random = new Random(SEED);
    for (int round = 1 - warmUps; round <= count; round++) {
      progress.accept(title + (round < 1 ? ", warming up" : ", round " + round + " of " + count));
      Collections.shuffle(order, random);
      for (Map.Entry<String, Callable<T>> participant : order) {
        T result = participant.getValue().call();
        if (round >= 1) {
          results
              .computeIfAbsent(participant.getKey(), name -> new ArrayList<>())
              .add(result);
        }
      }
    }
    return new Series<>(results);
  }
}
