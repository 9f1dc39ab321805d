package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Candidate;
import dev.syncguard.lock.ElectionTiming;
import dev.syncguard.lock.LeaderElection;
import dev.syncguard.lock.Leadership;
import dev.syncguard.lock.Locks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A process that stands for election, says what it is told and when, and steps down when a line is sent to it. */
final class SqliteLeader implements Candidate {

  private SqliteLeader() {}

  public static void main(String... arguments) throws IOException {
    ElectionTiming timing = new ElectionTiming(
        Duration.ofMillis(Long.parseLong(arguments[1])),
        Duration.ofMillis(Long.parseLong(arguments[1]) / 3));
    Locks locks = Locks.builder(SqliteLockBackend.open(Path.of(arguments[0])))
        .releaseOnShutdown()
        .build();
    LeaderElection election = locks.elect("leader", new SqliteLeader(), timing);
    System.out.println("ready");
    while (System.in.read() >= 0) {
      election.stepDown();
    }
  }

  @Override
  public void elected(Leadership leadership) {
    say("leads", leadership);
  }

  @Override
  public void revoked(Leadership leadership) {
    say("stopped", leadership);
  }

  private static void say(String what, Leadership leadership) {
    System.out.println(what + " " + leadership.term().value() + " " + System.currentTimeMillis());
  }
}
