package dev.mintmark.app.storm;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.database.CloseAtExit;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;

/**
 * The experiment of the article: many clients claim one of few addresses at the same time, through
 * many instances of an API, each with its own database connections.
 *
 * @param pool the addresses; created for the run and removed after it
 * @param clients the number of clients, each with one claim
 * @param instances the number of instances
 * @param idle the number of instances without clients
 */
record Storm(PoolSpec pool, int clients, int instances, int idle) {
  static final int CLIENTS_MAX = 5_000_000;
  static final int INSTANCES_MAX = 200;

  /** The capacity of the answer log and of the rivals' tables. */
  static final long ADDRESSES_MAX = 1L << 24;

  /** The beginning of the names of clients. */
  private static final String CLIENT = "client-";

  private static final int DECIMAL = 10;

  /** The addresses of every rehearsal: the block of RFC 2544, 2,046 addresses. */
  private static final Block REHEARSED = Block.parse("198.18.0.0/21");

  Storm {
    check("--clients", clients, 1, CLIENTS_MAX);
    check("--instances", instances, 1, INSTANCES_MAX);
    check("--idle", idle, 0, instances - 1);
    long addresses = addresses(pool);
    if (addresses > ADDRESSES_MAX) {
      throw new IllegalArgumentException(
          "--block has %s addresses: expected at most %s".formatted(addresses, ADDRESSES_MAX));
    }
  }

  /** An allocator of addresses, set up for one storm. */
  interface Allocator extends CloseAtExit.Resource {
    /**
     * Sends the claims of all clients and waits for the answers.
     *
     * @param log receives each answer
     * @param progress receives the number of answers from time to time
     */
    void run(AnswerLog log, LongConsumer progress) throws InterruptedException;

    /** Returns the statements of the run. */
    Effort effort();

    /** Removes what was set up. */
    @Override
    void close();
  }

  /**
   * The statements of a run.
   *
   * @param statements statements sent to the database
   * @param retries statements repeated after a failure or an empty result, or {@link #UNKNOWN}
   * @param deadlocks deadlocks that the database resolved, or {@link #UNKNOWN}
   */
  record Effort(long statements, long retries, long deadlocks) {
    static final long UNKNOWN = -1;

    static Effort ofStatements(long statements) {
      return new Effort(statements, UNKNOWN, UNKNOWN);
    }

    /** Returns the sum over instances, of which there is at least one. */
    static Effort sum(List<Effort> instances) {
      return instances.stream().reduce(Effort::plus).orElseThrow();
    }

    private Effort plus(Effort other) {
      return new Effort(
          statements + other.statements,
          plus(retries, other.retries),
          plus(deadlocks, other.deadlocks));
    }

    private static long plus(long count, long other) {
      return count == UNKNOWN || other == UNKNOWN ? UNKNOWN : count + other;
    }
  }

  /**
   * Returns the rehearsal: a storm of a fixed size through the same instances, before the clock
   * starts. After it the code is compiled and every connection has prepared its statements.
   *
   * @param rehearsing the number of clients
   */
  Storm rehearsal(int rehearsing) {
    PoolSpec rehearsed = PoolSpec.of(pool.name() + "-rehearsal", List.of(REHEARSED));
    return new Storm(rehearsed, rehearsing, instances, 0);
  }

  /** The number of addresses. */
  long addresses() {
    return addresses(pool);
  }

  /** Returns the address at a place in the blocks, from 0. */
  String addressAt(long place) {
    long within = place;
    for (Block block : pool.blocks()) {
      if (within < block.size()) {
        return block.valueAt(within);
      }
      within -= block.size();
    }
    throw new IllegalArgumentException("no address at place " + place);
  }

  /** The number of clients that cannot get an address. */
  long turnedAway() {
    return Math.max(0, clients - addresses());
  }

  /** The share of clients that can get an address, 0 to 1. */
  double chance() {
    return Math.min(1, (double) addresses() / clients);
  }

  /** Returns the figures that are known before the run. */
  List<String> napkin() {
    return List.of(
        line("addresses    %,d in %s", addresses(), pool.blocks()),
        line("clients      %,d through %,d instances", clients, instances),
        line("ratio        one address for %,.0f clients", (double) clients / addresses()),
        line("chance       %.2f %% of an address", 100 * chance()),
        line("turned away  %,d at least", turnedAway()));
  }

  /** Formats figures the same way in every locale: scripts and tests read them. */
  private static String line(String format, Object... figures) {
    return String.format(Locale.ROOT, format, figures);
  }

  /** Returns the name of a client in claims. */
  static String clientName(int client) {
    return CLIENT + client;
  }

  /** Returns the client with a name. */
  static int clientOf(String name) {
    return Integer.parseInt(name, CLIENT.length(), name.length(), DECIMAL);
  }

  /** The instance that a client uses. */
  int instanceOf(int client) {
    return client % busyInstances();
  }

  /** The number of instances with clients: the first ones. */
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
          "%s is %s: expected %s to %s".formatted(what, count, min, max));
    }
  }
}
