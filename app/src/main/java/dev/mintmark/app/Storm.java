package dev.mintmark.app;

import dev.mintmark.PoolSpec;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;

/**
 * The article's experiment: many clients ask for one of few addresses at the same time, through
 * many instances of an API, each with database connections of its own.
 *
 * @param pool the addresses; created for the run and removed after it
 * @param clients how many ask, once each
 * @param instances how many instances they ask
 */
record Storm(PoolSpec pool, int clients, int instances) {
  static final int CLIENTS_MAX = 5_000_000;
  static final int INSTANCES_MAX = 200;

  Storm {
    check("--clients", clients, CLIENTS_MAX);
    check("--instances", instances, INSTANCES_MAX);
  }

  /** A way to hand out addresses, set up for one storm. */
  interface Allocator extends CloseAtExit.Resource {
    /**
     * Lets every client ask and waits for all the answers.
     *
     * @param log what each answer is told to
     * @param progress is told how many were answered, now and then
     */
    void run(AnswerLog log, LongConsumer progress) throws InterruptedException;

    /** How many statements were sent to the database during the run. */
    long statements();

    /** Removes what was set up. */
    @Override
    void close();
  }

  /** How many addresses there are. */
  long addresses() {
    return pool.blocks().stream().mapToLong(block -> block.size()).sum();
  }

  /** How many cannot get an address, whatever is done. */
  long turnedAway() {
    return Math.max(0, clients - addresses());
  }

  /** The share of clients that can get an address, 0 to 1. */
  double chance() {
    return Math.min(1, (double) addresses() / clients);
  }

  /** What can be known before anything is run. */
  List<String> napkin() {
    return List.of(
        line("addresses    %,d in %s", addresses(), pool.blocks()),
        line("clients      %,d through %,d instances", clients, instances),
        line("ratio        one address for %,.0f clients", (double) clients / addresses()),
        line("chance       %.2f %% of an address", 100 * chance()),
        line("turned away  %,d at least", turnedAway()));
  }

  /** Figures are grouped alike whatever the locale: scripts and tests read them too. */
  private static String line(String format, Object... figures) {
    return String.format(Locale.ROOT, format, figures);
  }

  /** Which instance a client asks. */
  int instanceOf(int client) {
    return client % instances;
  }

  private static void check(String what, int count, int max) {
    if (count < 1 || count > max) {
      throw new IllegalArgumentException("%s is %d: expected 1 to %d".formatted(what, count, max));
    }
  }
}
