package dev.mintmark.app.storm;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.database.CloseAtExit;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;

/**
 * The article's experiment: many clients ask for one of few addresses at the same time, through
 * many instances of an API, each with database connections of its own.
 *
 * @param pool the addresses; created for the run and removed after it
 * @param clients how many ask, once each
 * @param instances how many instances there are
 * @param idle how many of them no client comes to
 */
record Storm(PoolSpec pool, int clients, int instances, int idle) {
  static final int CLIENTS_MAX = 5_000_000;
  static final int INSTANCES_MAX = 200;

  /** What the log of the answers and the rivals' tables can hold. */
  static final long ADDRESSES_MAX = 1L << 24;

  /** Asked for in every rehearsal, whatever the storm is about: RFC 2544's, 2,046 of them. */
  private static final Block REHEARSED = Block.parse("198.18.0.0/21");

  Storm {
    check("--clients", clients, 1, CLIENTS_MAX);
    check("--instances", instances, 1, INSTANCES_MAX);
    check("--idle", idle, 0, instances - 1);
    long addresses = addresses(pool);
    if (addresses > ADDRESSES_MAX) {
      throw new IllegalArgumentException(
          "--block has %d addresses: expected at most %d".formatted(addresses, ADDRESSES_MAX));
    }
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

    /** What the run took besides time. */
    Effort effort();

    /** Removes what was set up. */
    @Override
    void close();
  }

  /**
   * What handing out took.
   *
   * @param statements sent to the database
   * @param retries statements that were sent again because the one before was refused or in vain;
   *     {@link #UNKNOWN} where that is nobody's business
   * @param deadlocks how often the database ended a deadlock; {@link #UNKNOWN} likewise
   */
  record Effort(long statements, long retries, long deadlocks) {
    static final long UNKNOWN = -1;

    static Effort ofStatements(long statements) {
      return new Effort(statements, UNKNOWN, UNKNOWN);
    }
  }

  /**
   * What is run before the clock starts, so that what is measured has been compiled and every
   * connection has run its statements: a storm of a fixed size through the same instances.
   *
   * @param rehearsing how many clients ask
   */
  Storm rehearsal(int rehearsing) {
    PoolSpec rehearsed = PoolSpec.of(pool.name() + "-rehearsal", List.of(REHEARSED));
    return new Storm(rehearsed, rehearsing, instances, 0);
  }

  /** How many addresses there are. */
  long addresses() {
    return addresses(pool);
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
    return client % busyInstances();
  }

  /** How many instances are asked at all: the first ones. */
  int busyInstances() {
    return instances - idle;
  }

  private static long addresses(PoolSpec pool) {
    long addresses = 0;
    for (Block block : pool.blocks()) {
      addresses += Math.min(block.size(), ADDRESSES_MAX + 1);
    }
    return addresses;
  }

  private static void check(String what, int count, int min, int max) {
    if (count < min || count > max) {
      throw new IllegalArgumentException(
          "%s is %d: expected %d to %d".formatted(what, count, min, max));
    }
  }
}
