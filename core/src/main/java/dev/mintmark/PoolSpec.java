package dev.mintmark;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The declaration of a pool of scarce values: the values, their order, quotas and lease.
 *
 * <p>Create one with {@link #of(String, List)} and the {@code with} methods.
 *
 * @param name 1 to 63 of {@code a-z}, {@code 0-9} and {@code -}, starting with a letter
 * @param blocks the values, in blocks of one family (IPv4, IPv6, numbers, lists) that do not
 *     overlap: 1 to {@value #BLOCKS_MAX} blocks of at most 2^64 values. None, if the pool gets its
 *     blocks from a source; the blocks that such a pool has at present, if it was read from the
 *     database
 * @param exclude values and blocks of that family that are never granted, at most {@value
 *     #BLOCKS_MAX}; each has values of the pool. Empty if the blocks are lists. A run of numbers is
 *     not granted if any of its numbers is excluded
 * @param order the order in which values are granted
 * @param perClient the most values that one client may hold, 1 to {@value #PER_CLIENT_MAX}
 * @param perOwner the most values that one owner may hold, 1 to {@value #PER_OWNER_MAX}; every
 *     claim must then name its owner. Empty: no limit
 * @param sticky whether a client gets the value that it held last, if that is available
 * @param lease how long a claim is held unless renewed; empty: until it is released
 * @param quarantine how long a value is quarantined after its release, before it is granted to
 *     another client; its last client can claim it earlier
 * @param history how long ended claims are kept; empty: they are not kept
 * @param ipv6 the IPv6 address of every claim, if it has one
 * @param afterFailover what happens to free values when another server has taken over the database,
 *     which may have lost claims; empty: {@link AfterFailover#QUARANTINE} with a lease, {@link
 *     AfterFailover#STOP} without one
 * @param thresholds shares of values that are not free, in percent, that watches, charts and
 *     metrics report: 1 to 100, ascending, at most {@value #THRESHOLDS_MAX}
 * @param database the name of the database that the pool is in, if a program uses several: named
 *     like a pool. Empty: the first of them, or the only one
 * @param source the pool that it gets its blocks from, in whichever database; empty: it has blocks
 *     of its own
 */
public record PoolSpec(
    String name,
    List<Block> blocks,
    List<Block> exclude,
    Order order,
    int perClient,
    Optional<Integer> perOwner,
    boolean sticky,
    Optional<Duration> lease,
    Duration quarantine,
    Optional<Duration> history,
    Optional<Ipv6Embedding> ipv6,
    Optional<AfterFailover> afterFailover,
    List<Integer> thresholds,
    Optional<String> database,
    Optional<Source> source) {
  /** The most blocks that one pool may have, and the most exclusions. */
  public static final int BLOCKS_MAX = 1_000;

  /** The most values that one client may hold and claim at once. */
  public static final int PER_CLIENT_MAX = 1_000;

  /** The highest quota of an owner. */
  public static final int PER_OWNER_MAX = 1_000_000;

  /** The longest lease, the longest quarantine and the longest history. */
  public static final Duration DURATION_MAX = Duration.ofDays(3650);

  /** The shortest lease: a shorter one could not be renewed in time over a network. */
  public static final Duration LEASE_MIN = Duration.ofSeconds(1);

  /** The default time for which ended claims are kept. */
  public static final Duration HISTORY_DEFAULT = Duration.ofDays(90);

  /** The most values that a pool with a source can be declared to keep free. */
  public static final long KEEP_FREE_MAX = 1_000_000_000;

  /** The most thresholds. */
  public static final int THRESHOLDS_MAX = 10;

  /** The default thresholds, in percent. */
  public static final List<Integer> THRESHOLDS_DEFAULT = List.of(80, 95);

  /** The order in which the values of a pool are granted. */
  public enum Order {
    /** The next value cannot be predicted, and concurrent claims seldom conflict. */
    RANDOM,
    /** The lowest free value: for runs of numbers, and for values that people read. */
    ASCENDING
  }

  /**
   * What happens to free values when another server has taken over the database (a failover, or a
   * restored backup). A claim that was acknowledged may be lost there, so that its value looks
   * free.
   */
  public enum AfterFailover {
    /**
     * They are granted at once. It states that replication is synchronous, so that no claim is
     * lost. A database that went back to an earlier state is not trusted: the pool then does what
     * it does by default.
     */
    TRUST,
    /** They rest for the longest lease and the quarantine of the pool. It takes a lease. */
    QUARANTINE,
    /** None is granted until a person has decided: claims without a value fail until then. */
    STOP;

    /**
     * Returns the constant with a label: {@code trust}, {@code quarantine} or {@code stop}.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static AfterFailover parse(String label) {
      for (AfterFailover one : values()) {
        if (one.label().equals(label)) {
          return one;
        }
      }
      throw new IllegalArgumentException(
          "expected trust, quarantine or stop, found " + Quoted.of(label));
    }

    /** The label in a catalog. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Where a pool gets its blocks from: it claims runs of numbers or prefixes of another pool, and
   * each becomes a block of it.
   *
   * @param pool the name of that pool
   * @param keepFree how many values are kept free: with fewer, the pool claims another block. 0: it
   *     claims none
   */
  @Experimental
  public record Source(String pool, long keepFree) {
    public Source {
      CatalogName.check("pool", pool);
      if (keepFree < 0 || keepFree > KEEP_FREE_MAX) {
        throw new IllegalArgumentException(
            "keep-free is %s: expected 0 to %s".formatted(keepFree, KEEP_FREE_MAX));
      }
    }
  }

  public PoolSpec {
    blocks = List.copyOf(blocks);
    exclude = List.copyOf(exclude);
    thresholds = List.copyOf(thresholds);
    CatalogName.check("pool", name);
    BlockRules.checkSource(name, source);
    BlockRules.checkBlocks(name, blocks, source.isPresent());
    BlockRules.checkExclude(name, exclude, blocks);
    checkCount(name, "per-client", perClient, PER_CLIENT_MAX);
    perOwner.ifPresent(quota -> checkCount(name, "per-owner", quota, PER_OWNER_MAX));
    lease.ifPresent(length -> checkDuration(name, "lease", length, LEASE_MIN));
    checkDuration(name, "quarantine", quarantine, Duration.ZERO);
    history.ifPresent(length -> checkDuration(name, "history", length, Duration.ZERO));
    if (ipv6.isPresent()) {
      BlockRules.checkIpv6(name, ipv6.get(), blocks, perClient);
    }
    if (lease.isEmpty() && afterFailover.filter(AfterFailover.QUARANTINE::equals).isPresent()) {
      throw wrong(
          name, "after-failover is quarantine: without a lease there is no time to wait for");
    }
    checkThresholds(name, thresholds);
    database.ifPresent(PoolSpec::checkDatabase);
  }

  /** The declaration of a pool with blocks of its own. */
  public PoolSpec(
      String name,
      List<Block> blocks,
      List<Block> exclude,
      Order order,
      int perClient,
      Optional<Integer> perOwner,
      boolean sticky,
      Optional<Duration> lease,
      Duration quarantine,
      Optional<Duration> history,
      Optional<Ipv6Embedding> ipv6,
      Optional<AfterFailover> afterFailover,
      List<Integer> thresholds,
      Optional<String> database) {
    this(
        name,
        blocks,
        exclude,
        order,
        perClient,
        perOwner,
        sticky,
        lease,
        quarantine,
        history,
        ipv6,
        afterFailover,
        thresholds,
        database,
        Optional.empty());
  }

  /** The declaration of a pool with blocks of its own, in the first or the only database. */
  public PoolSpec(
      String name,
      List<Block> blocks,
      List<Block> exclude,
      Order order,
      int perClient,
      Optional<Integer> perOwner,
      boolean sticky,
      Optional<Duration> lease,
      Duration quarantine,
      Optional<Duration> history,
      Optional<Ipv6Embedding> ipv6,
      Optional<AfterFailover> afterFailover,
      List<Integer> thresholds) {
    this(
        name,
        blocks,
        exclude,
        order,
        perClient,
        perOwner,
        sticky,
        lease,
        quarantine,
        history,
        ipv6,
        afterFailover,
        thresholds,
        Optional.empty());
  }

  /**
   * Checks the name of a database.
   *
   * @throws IllegalArgumentException if it is not 1 to 63 of {@code a-z}, {@code 0-9} and {@code
   *     -}, starting with a letter
   */
  public static void checkDatabase(String name) {
    CatalogName.check("database", name);
  }

  /**
   * Returns this declaration, whose database must be one of a catalog.
   *
   * @param databases the names of the databases that the catalog declares
   * @throws IllegalArgumentException if it names a database that is not among them
   */
  public PoolSpec requireIn(List<String> databases) {
    if (database.isEmpty() || databases.contains(database.get())) {
      return this;
    }
    throw wrong(
        name,
        databases.isEmpty()
            ? "unknown database %s: the catalog declares no databases"
                .formatted(Quoted.of(database.get()))
            : Spelling.unknown("database", database.get(), databases));
  }

  /**
   * Returns this declaration, whose source must be a pool of a catalog that can supply it.
   *
   * @param pools the pools that the catalog declares
   * @throws IllegalArgumentException if the source is not among them, or cannot supply this pool
   */
  @Experimental
  public PoolSpec requireSourceIn(List<PoolSpec> pools) {
    if (source.isEmpty()) {
      return this;
    }
    String from = source.get().pool;
    return requireSuppliedBy(
        pools.stream()
            .filter(pool -> pool.name.equals(from))
            .findFirst()
            .orElseThrow(() -> undeclared(from, pools)));
  }

  private IllegalArgumentException undeclared(String from, List<PoolSpec> pools) {
    String guess =
        Spelling.nearest(from, pools.stream().map(PoolSpec::name).toList())
            .map(near -> ": did you mean " + Quoted.of(near) + "?")
            .orElse("");
    return wrong(
        name,
        "its blocks come from pool %s, which the catalog does not declare%s"
            .formatted(Quoted.of(from), guess));
  }

  /**
   * Returns this declaration, which must fit the pool that its blocks come from.
   *
   * @throws IllegalArgumentException if that pool gets its own blocks from another one; if it
   *     grants single values, or blocks that this pool cannot have; or if it has a lease, and that
   *     of this pool is not shorter than half of it, or its quarantine is shorter than the lease
   *     and the quarantine of this pool
   */
  @Experimental
  public PoolSpec requireSuppliedBy(PoolSpec source) {
    BlockRules.checkSupply(this, source);
    return this;
  }

  /** What happens after a failover: as declared, or the default. */
  public AfterFailover afterFailoverOrDefault() {
    return afterFailover.orElse(defaultAfterFailover());
  }

  /** What happens after a failover by default. */
  public AfterFailover defaultAfterFailover() {
    return lease.isPresent() ? AfterFailover.QUARANTINE : AfterFailover.STOP;
  }

  /**
   * Returns the default declaration: one value for each client, claims without a lease, no
   * quarantine, sticky, a history of {@link #HISTORY_DEFAULT}, and {@link #THRESHOLDS_DEFAULT}. The
   * order is random, but ascending for {@link NumberRuns} and {@link CidrPrefixes}.
   */
  public static PoolSpec of(String name, List<Block> blocks) {
    boolean runs =
        !blocks.isEmpty()
            && blocks.stream().allMatch(b -> b instanceof NumberRuns || b instanceof CidrPrefixes);
    return new PoolSpec(
        name,
        blocks,
        List.of(),
        runs ? Order.ASCENDING : Order.RANDOM,
        1,
        Optional.empty(),
        true,
        Optional.empty(),
        Duration.ZERO,
        Optional.of(HISTORY_DEFAULT),
        Optional.empty(),
        Optional.empty(),
        THRESHOLDS_DEFAULT);
  }

  /**
   * Returns the default declaration of a pool that gets its blocks from another one: as {@link
   * #of(String, List)}, in random order.
   */
  @Experimental
  public static PoolSpec of(String name, Source source) {
    return new PoolSpec(
        name,
        List.of(),
        List.of(),
        Order.RANDOM,
        1,
        Optional.empty(),
        true,
        Optional.empty(),
        Duration.ZERO,
        Optional.of(HISTORY_DEFAULT),
        Optional.empty(),
        Optional.empty(),
        THRESHOLDS_DEFAULT,
        Optional.empty(),
        Optional.of(source));
  }

  /** The same pool with the given blocks. */
  public PoolSpec withBlocks(List<Block> blocks) {
    return with(parts -> parts.blocks = blocks);
  }

  /** The same pool without the given values. */
  public PoolSpec withExclude(List<Block> exclude) {
    return with(parts -> parts.exclude = exclude);
  }

  /** The same pool, with the given order. */
  public PoolSpec withOrder(Order order) {
    return with(parts -> parts.order = order);
  }

  /** The same pool with the given number of values for one client. */
  public PoolSpec withPerClient(int perClient) {
    return with(parts -> parts.perClient = perClient);
  }

  /** The same pool with the given quota for one owner; empty: none. */
  public PoolSpec withPerOwner(Optional<Integer> perOwner) {
    return with(parts -> parts.perOwner = perOwner);
  }

  /** The same pool, sticky or not. */
  public PoolSpec withSticky(boolean sticky) {
    return with(parts -> parts.sticky = sticky);
  }

  /** The same pool with the given lease. */
  public PoolSpec withLease(Duration lease) {
    return withLease(Optional.of(lease));
  }

  /** The same pool with the given lease; empty: claims are held until they are released. */
  public PoolSpec withLease(Optional<Duration> lease) {
    return with(parts -> parts.lease = lease);
  }

  /** The same pool with the given quarantine. */
  public PoolSpec withQuarantine(Duration quarantine) {
    return with(parts -> parts.quarantine = quarantine);
  }

  /** The same pool with the given history; empty: none. */
  public PoolSpec withHistory(Optional<Duration> history) {
    return with(parts -> parts.history = history);
  }

  /** The same pool with the given addresses for its claims; empty: none. */
  public PoolSpec withIpv6(Optional<Ipv6Embedding> ipv6) {
    return with(parts -> parts.ipv6 = ipv6);
  }

  /** The same pool with the given conduct after a failover; empty: the default. */
  public PoolSpec withAfterFailover(Optional<AfterFailover> afterFailover) {
    return with(parts -> parts.afterFailover = afterFailover);
  }

  /** The same pool with the given thresholds, in percent. */
  public PoolSpec withThresholds(List<Integer> thresholds) {
    return with(parts -> parts.thresholds = thresholds);
  }

  /** The same pool in the given database; empty: in the first or the only one. */
  public PoolSpec withDatabase(Optional<String> database) {
    return with(parts -> parts.database = database);
  }

  /** The same pool with blocks from the given source; empty: with blocks of its own. */
  @Experimental
  public PoolSpec withSource(Optional<Source> source) {
    return with(parts -> parts.source = source);
  }

  private PoolSpec with(Consumer<Parts> change) {
    Parts parts = new Parts(this);
    change.accept(parts);
    return parts.toSpec();
  }

  /** The components of a declaration, some of which are changed. */
  private static final class Parts {
    private final String name;
    private List<Block> blocks;
    private List<Block> exclude;
    private Order order;
    private int perClient;
    private Optional<Integer> perOwner;
    private boolean sticky;
    private Optional<Duration> lease;
    private Duration quarantine;
    private Optional<Duration> history;
    private Optional<Ipv6Embedding> ipv6;
    private Optional<AfterFailover> afterFailover;
    private List<Integer> thresholds;
    private Optional<String> database;
    private Optional<Source> source;

    private Parts(PoolSpec spec) {
      this.name = spec.name;
      this.blocks = spec.blocks;
      this.exclude = spec.exclude;
      this.order = spec.order;
      this.perClient = spec.perClient;
      this.perOwner = spec.perOwner;
      this.sticky = spec.sticky;
      this.lease = spec.lease;
      this.quarantine = spec.quarantine;
      this.history = spec.history;
      this.ipv6 = spec.ipv6;
      this.afterFailover = spec.afterFailover;
      this.thresholds = spec.thresholds;
      this.database = spec.database;
      this.source = spec.source;
    }

    private PoolSpec toSpec() {
      return new PoolSpec(
          name,
          blocks,
          exclude,
          order,
          perClient,
          perOwner,
          sticky,
          lease,
          quarantine,
          history,
          ipv6,
          afterFailover,
          thresholds,
          database,
          source);
    }
  }

  private static void checkThresholds(String name, List<Integer> thresholds) {
    if (thresholds.size() > THRESHOLDS_MAX) {
      throw wrong(name, "it has more than " + THRESHOLDS_MAX + " thresholds");
    }
    int before = 0;
    for (int threshold : thresholds) {
      checkCount(name, "a threshold", threshold, 100);
      if (threshold <= before) {
        throw wrong(name, "thresholds " + thresholds + " do not ascend");
      }
      before = threshold;
    }
  }

  private static void checkCount(String name, String what, int count, int max) {
    if (count < 1 || count > max) {
      throw wrong(name, "%s is %s: expected 1 to %s".formatted(what, count, max));
    }
  }

  /**
   * Checks the lease of a claim, which may differ from that of the pool.
   *
   * @throws IllegalArgumentException if it is not from {@link #LEASE_MIN} to {@link #DURATION_MAX}
   */
  public static void checkLease(Duration lease) {
    findWrong("lease", lease, LEASE_MIN)
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(why);
            });
  }

  private static void checkDuration(String name, String what, Duration length, Duration min) {
    findWrong(what, length, min)
        .ifPresent(
            why -> {
              throw wrong(name, why);
            });
  }

  /** Returns what is wrong with a duration; empty if it is within its limits. */
  private static Optional<String> findWrong(String what, Duration length, Duration min) {
    return length.compareTo(min) < 0 || length.compareTo(DURATION_MAX) > 0
        ? Optional.of(
            "%s is %s: expected %s to %s"
                .formatted(
                    what,
                    DurationText.format(length),
                    DurationText.format(min),
                    DurationText.format(DURATION_MAX)))
        : Optional.empty();
  }

  static IllegalArgumentException wrong(String name, String why) {
    return new IllegalArgumentException("pool " + Quoted.of(name) + ": " + why);
  }
}
