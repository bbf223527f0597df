package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.pool.PoolDatabase.Bind.bind;

import dev.mintmark.Ipv6Embedding;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.Exhaustion.Probe;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A set of scarce identifiers in a database, as one instance of a program sees it.
 *
 * <pre>
 *            claim              release, end of lease             sweep
 *   free  ----------->  held  ------------------------>  quarantined  ------->  free
 *                      renew
 * </pre>
 *
 * <p>A value is held by one client at most, however many instances claim at once, and a client
 * holds one value at most: it is given the same one however often it asks. Claims that arrive
 * together share a statement. A pool known to be empty turns clients away without asking the
 * database, for {@link #REMEMBERED_FOR} at a time; a client that holds a value is never turned away
 * so, unless another instance granted it within that time.
 *
 * <p>Every method works in a transaction of its own, never in its caller's. Safe for use by many
 * threads.
 *
 * <pre>{@code
 * try (Pools pools = Pools.over(dataSource)) {
 *   ClaimResult result = pools.open("public-ipv4").claim(ClaimRequest.of("vm-43943"));
 * }
 * }</pre>
 */
public final class Pool {
  /** For how long an instance goes by "no value is free" without asking again. */
  public static final Duration REMEMBERED_FOR = Duration.ofMillis(500);

  /** Claims in one page of a listing at most. */
  public static final int PAGE_MAX = 1_000;

  /** Values in one map at most. */
  public static final int MAP_MAX = 4_096;

  private static final SqlFile CLAIM = SqlFile.load(Pool.class, "claim");
  private static final SqlFile PROBE = SqlFile.load(Pool.class, "probe");
  private static final SqlFile RENEW = SqlFile.load(Pool.class, "renew");
  private static final SqlFile RELEASE = SqlFile.load(Pool.class, "release");
  private static final SqlFile FIND_CLAIM = SqlFile.load(Pool.class, "find_claim");
  private static final SqlFile LIST_CLAIMS = SqlFile.load(Pool.class, "list_claims");
  private static final SqlFile STATS = SqlFile.load(Pool.class, "stats");
  private static final SqlFile MAP = SqlFile.load(Pool.class, "map");

  /**
   * How often a batch goes to the database for those it found no answer for: values were free but
   * locked by others, or others were claiming for the same clients. After each round it waits, each
   * time twice as long, 252 ms in all.
   */
  private static final int ROUNDS_MAX = 6;

  private static final long FIRST_PAUSE_MILLIS = 4;

  private final Pools pools;
  private final PoolDatabase database;
  private final int id;
  private final String name;
  private final Exhaustion exhaustion;
  private final ClaimQueue queue;
  private volatile Pools.Stored stored;

  Pool(Pools pools, PoolDatabase database, Executor executor, Pools.Stored stored) {
    this.pools = pools;
    this.database = database;
    this.id = stored.id();
    this.name = stored.spec().name();
    this.stored = stored;
    this.exhaustion = new Exhaustion(name, stored.layout().size());
    this.queue = new ClaimQueue(name, exhaustion, this::claimBatch, executor);
  }

  /** The name it was declared by. */
  public String name() {
    return name;
  }

  /** What it is declared to be, as last read from the database. */
  public PoolSpec spec() {
    return stored.spec();
  }

  /**
   * Claims a value for a client, or finds the one it holds. Waits for the answer.
   *
   * @throws PoolUnavailableException if the database did not answer, or too many claims wait
   *     already; claiming again is safe
   * @throws UnknownPoolException if the pool was deleted
   */
  public ClaimResult claim(ClaimRequest request) {
    try {
      return claimAsync(request).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /**
   * Claims a value for a client without waiting. The result is completed by the thread that talks
   * to the database, so what hangs on it should be short; it fails as {@link #claim} throws.
   */
  public CompletableFuture<ClaimResult> claimAsync(ClaimRequest request) {
    return queue.submit(request);
  }

  /**
   * Extends a claim from now, by {@code lease} or by the lease it was claimed with; one that was
   * claimed without stays held until released.
   *
   * @param token the claim's fencing token; an older one than the value's present claim changes
   *     nothing
   * @throws PoolUnavailableException if the database did not answer; renewing again is safe
   */
  public RenewResult renew(String value, long token, Optional<Duration> lease) {
    lease.ifPresent(ClaimRequest::checkLease);
    OptionalLong position = positionOf(value);
    if (position.isEmpty()) {
      return new RenewResult.NotHeld(name, value);
    }
    List<ClaimRow> renewed =
        database.query(
            name,
            RENEW,
            Pool::readClaim,
            bind("pool_id", id),
            bind("position", position.getAsLong()),
            bind("token", token),
            bind("lease_millis", lease.map(Duration::toMillis).orElse(null)));
    if (!renewed.isEmpty()) {
      return new RenewResult.Renewed(toClaim(renewed.get(0)));
    }
    return find(value).isPresent()
        ? new RenewResult.Superseded(name, value)
        : new RenewResult.NotHeld(name, value);
  }

  /**
   * Gives a value back.
   *
   * @param token the claim's fencing token; an older one than the value's present claim changes
   *     nothing
   * @throws PoolUnavailableException if the database did not answer: whether the value was given
   *     back is then not known; releasing again is safe, and finds it not held if it was
   */
  public ReleaseResult release(String value, long token) {
    OptionalLong position = positionOf(value);
    if (position.isEmpty()) {
      return new ReleaseResult.NotHeld(name, value);
    }
    List<Instant> released =
        database.queryWithoutRepeat(
            name,
            RELEASE,
            row -> instant(row, "free_at").orElseThrow(),
            bind("pool_id", id),
            bind("position", position.getAsLong()),
            bind("token", token));
    if (!released.isEmpty()) {
      exhaustion.forget();
      return new ReleaseResult.Released(released.get(0));
    }
    return find(value).isPresent()
        ? new ReleaseResult.Superseded(name, value)
        : new ReleaseResult.NotHeld(name, value);
  }

  /** Returns the claim of a value, if it is held. */
  public Optional<Claim> find(String value) {
    OptionalLong position = positionOf(value);
    if (position.isEmpty()) {
      return Optional.empty();
    }
    return database
        .query(
            name,
            FIND_CLAIM,
            Pool::readClaim,
            bind("pool_id", id),
            bind("position", position.getAsLong()))
        .stream()
        .findFirst()
        .map(this::toClaim);
  }

  /**
   * Lists claims in the order of their values.
   *
   * @param client only this client's, if given
   * @param owner only this owner's, if given
   * @param after only those behind this value, if given: the last of the page before
   * @param limit how many at most, 1 to {@value #PAGE_MAX}
   * @throws IllegalArgumentException if the limit is out of range, a name is malformed, or the pool
   *     has no such value
   */
  public List<Claim> claims(
      Optional<String> client, Optional<String> owner, Optional<String> after, int limit) {
    if (limit < 1 || limit > PAGE_MAX) {
      throw new IllegalArgumentException("limit is " + limit + ": expected 1 to " + PAGE_MAX);
    }
    client.ifPresent(filter -> ClaimRequest.checkName("client", filter));
    owner.ifPresent(filter -> ClaimRequest.checkName("owner", filter));
    long behind = after.map(this::requirePosition).orElse(-1L);
    return database
        .query(
            name,
            LIST_CLAIMS,
            Pool::readClaim,
            bind("pool_id", id),
            bind("client", client.orElse(null)),
            bind("owner", owner.orElse(null)),
            bind("after", behind),
            bind("limit", limit))
        .stream()
        .map(this::toClaim)
        .toList();
  }

  /** Counts the values by state. Takes time in proportion to their number. */
  public PoolStats stats() {
    return database
        .query(
            name,
            STATS,
            row ->
                row.getBoolean("known")
                    ? Optional.of(
                        new PoolStats(
                            row.getLong("free"), row.getLong("held"), row.getLong("quarantined")))
                    : Optional.<PoolStats>empty(),
            bind("pool_id", id))
        .get(0)
        .orElseThrow(this::unknown);
  }

  /**
   * Returns the state of each value in a stretch of positions, cut at the end of the pool.
   *
   * @param from the first position, from 0
   * @param limit how many at most, 1 to {@value #MAP_MAX}
   * @throws IllegalArgumentException if either is out of range
   */
  public PoolMap map(long from, int limit) {
    if (from < 0 || limit < 1 || limit > MAP_MAX) {
      throw new IllegalArgumentException(
          "map from %d, limit %d: expected a position from 0 and a limit of 1 to %d"
              .formatted(from, limit, MAP_MAX));
    }
    PoolLayout layout = reload().layout();
    long start = Math.min(from, layout.size());
    long end = Math.min(start + limit, layout.size());
    String states =
        database
            .query(
                name,
                MAP,
                row -> row.getString("states"),
                bind("pool_id", id),
                bind("from", start),
                bind("to", end))
            .get(0);
    return new PoolMap(start, layout.size(), layout.stretches(start, end), states);
  }

  /** Answers a batch in which every client stands once; run by one thread at a time. */
  private Map<String, ClaimResult> claimBatch(List<ClaimRequest> requests) {
    Map<String, ClaimResult> results = new HashMap<>();
    List<ClaimRequest> open = requests;
    for (int round = 1; round <= ROUNDS_MAX; round++) {
      Map<Outcome, List<String>> undecided = claimOnce(open, results);
      if (undecided.containsKey(Outcome.ENDED)) {
        pools.sweep(id, name);
      }
      List<String> inVain = undecided.getOrDefault(Outcome.NONE, List.of());
      if (!inVain.isEmpty()) {
        Optional<ClaimResult.Exhausted> exhausted = exhaustion.rejection().or(this::findExhausted);
        exhausted.ifPresent(answer -> inVain.forEach(client -> results.put(client, answer)));
      }
      open = open.stream().filter(request -> !results.containsKey(request.client())).toList();
      if (open.isEmpty()) {
        return results;
      }
      LockSupport.parkNanos(Duration.ofMillis(FIRST_PAUSE_MILLIS << (round - 1)).toNanos());
    }
    ClaimResult.Exhausted exhausted = exhaustion.answer(probe());
    open.forEach(request -> results.put(request.client(), exhausted));
    return results;
  }

  /** What the claim statement says of a client; the names are those of claim.sql. */
  private enum Outcome {
    GRANTED,
    HELD,
    ENDED,
    CONTENDED,
    /** Nothing: the client has no row. */
    NONE
  }

  /**
   * Runs the claim statement once and collects what it granted and found. Returns the clients for
   * which that is not the end of it, by what was said of them.
   */
  private Map<Outcome, List<String>> claimOnce(
      List<ClaimRequest> requests, Map<String, ClaimResult> results) {
    Map<String, Outcome> outcomes = new HashMap<>();
    requests.forEach(request -> outcomes.put(request.client(), Outcome.NONE));
    for (Answered answered : claimRows(requests)) {
      outcomes.put(answered.client, answered.outcome);
      answered
          .claim
          .flatMap(row -> result(answered.outcome, row))
          .ifPresent(result -> results.put(answered.client, result));
    }
    return outcomes.keySet().stream()
        .filter(client -> !results.containsKey(client))
        .collect(Collectors.groupingBy(outcomes::get));
  }

  private Optional<ClaimResult> result(Outcome outcome, ClaimRow row) {
    return switch (outcome) {
      case GRANTED -> Optional.of(new Granted(toClaim(row)));
      case HELD -> Optional.of(new AlreadyHeld(toClaim(row)));
      default -> Optional.empty();
    };
  }

  /** What was said of a client, with its claim where it has one. */
  private record Answered(String client, Outcome outcome, Optional<ClaimRow> claim) {}

  private List<Answered> claimRows(List<ClaimRequest> requests) {
    return database.query(
        name,
        CLAIM,
        row -> {
          Outcome outcome = Outcome.valueOf(row.getString("outcome").toUpperCase(Locale.ROOT));
          Optional<ClaimRow> claim =
              outcome == Outcome.CONTENDED ? Optional.empty() : Optional.of(readClaim(row));
          return new Answered(row.getString("client"), outcome, claim);
        },
        bind("pool_id", id),
        bind("clients", requests.stream().map(ClaimRequest::client).toArray(String[]::new)),
        bind("owners", requests.stream().map(Pool::ownerOrNull).toArray(String[]::new)),
        bind("lease_millis", requests.stream().map(Pool::leaseOrNull).toArray(Long[]::new)),
        bind("start", randomPosition()));
  }

  /**
   * Finds out whether nothing is free, having swept what is due, and remembers it if so. Empty
   * where values are free but locked, or have just become free: the clients may ask again.
   */
  private Optional<ClaimResult.Exhausted> findExhausted() {
    long epoch = exhaustion.epoch();
    long sentNanos = System.nanoTime();
    Probe probe = probe();
    if (!probe.known()) {
      throw unknown();
    }
    boolean due = probe.nextDue() != null && !probe.nextDue().isAfter(probe.at());
    if (probe.anyFree() || (due && pools.sweep(id, name) > 0)) {
      return Optional.empty();
    }
    return Optional.of(exhaustion.learn(probe, epoch, sentNanos, stored.layout().size()));
  }

  private Probe probe() {
    return database
        .query(
            name,
            PROBE,
            row ->
                new Probe(
                    row.getBoolean("known"),
                    row.getBoolean("any_free"),
                    instant(row, "at").orElseThrow(),
                    instant(row, "next_due").orElse(null),
                    row.getLong("last_token"),
                    row.getLong("last_drawn"),
                    Arrays.asList((String[]) row.getArray("holders").getArray())),
            bind("pool_id", id),
            bind("after_token", exhaustion.lastToken()))
        .get(0);
  }

  /** Where the search for a free value starts, so that instances do not meet at the same rows. */
  private long randomPosition() {
    return ThreadLocalRandom.current().nextLong(Math.max(stored.layout().size(), 1));
  }

  private OptionalLong positionOf(String value) {
    OptionalLong position = stored.layout().positionOf(value);
    return position.isPresent() ? position : reload().layout().positionOf(value);
  }

  private long requirePosition(String value) {
    return positionOf(value)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "pool \"" + name + "\" has no value " + Quoted.of(value)));
  }

  private String valueAt(long position) {
    return stored
        .layout()
        .valueAt(position)
        .or(() -> reload().layout().valueAt(position))
        .orElseThrow(
            () -> new IllegalStateException("pool \"" + name + "\" has no position " + position));
  }

  /** Reads the pool again: a block may have been added, a setting changed. */
  Pools.Stored reload() {
    Pools.Stored fresh =
        pools.load(name).filter(found -> found.id() == id).orElseThrow(this::unknown);
    stored = fresh;
    return fresh;
  }

  private UnknownPoolException unknown() {
    pools.forget(this);
    return new UnknownPoolException(name);
  }

  /** A claim as its row has it: kept apart so that no row is read while another is asked for. */
  private record ClaimRow(
      long position,
      String client,
      Optional<String> owner,
      long token,
      Instant claimedAt,
      Optional<Instant> expiresAt) {}

  private static ClaimRow readClaim(ResultSet row) throws SQLException {
    return new ClaimRow(
        row.getLong("position"),
        row.getString("client"),
        Optional.ofNullable(row.getString("owner")),
        row.getLong("token"),
        instant(row, "claimed_at").orElseThrow(),
        instant(row, "expires_at"));
  }

  private Claim toClaim(ClaimRow row) {
    String value = valueAt(row.position);
    return new Claim(
        name,
        value,
        row.client,
        row.owner,
        row.token,
        row.claimedAt,
        row.expiresAt,
        ipv6For(row.client, value));
  }

  /** Empty too where the client is no number that could be embedded. */
  private Optional<String> ipv6For(String client, String value) {
    Optional<Ipv6Embedding> embedding = stored.spec().ipv6();
    try {
      return embedding.map(ipv6 -> ipv6.addressFor(client, value));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  private static @Nullable String ownerOrNull(ClaimRequest request) {
    return request.owner().orElse(null);
  }

  private static @Nullable Long leaseOrNull(ClaimRequest request) {
    return request.lease().map(Duration::toMillis).orElse(null);
  }

  @Override
  public String toString() {
    return "pool \"" + name + "\"";
  }
}
