package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.pool.PoolDatabase.Bind.bind;

import dev.mintmark.Block;
import dev.mintmark.DurationText;
import dev.mintmark.Entropy;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.Exhaustion.Probe;
import dev.mintmark.postgres.pool.PastClaim.Ending;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import dev.mintmark.postgres.pool.PoolLayout.Window;
import dev.mintmark.postgres.pool.PoolStats.BlockStats;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;

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
 * holds as many values as the pool gives to one: it is given the same however often it asks. Claims
 * that arrive together share a statement. A pool known to be empty turns clients away without
 * asking the database, for {@link #REMEMBERED_FOR} at a time; a client that holds a value is never
 * turned away so, unless another instance granted it within that time.
 *
 * <p>What a pool is declared to be may be changed through another instance: this one goes by it
 * within {@link #SETTINGS_KNOWN_FOR}.
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
  public static final Duration REMEMBERED_FOR = Duration.ofMillis(750);

  /** For how long an instance goes by a pool's settings without reading them again. */
  public static final Duration SETTINGS_KNOWN_FOR = Duration.ofSeconds(10);

  /** Claims in one page of a listing or a history at most. */
  public static final int PAGE_MAX = 1_000;

  /** Values in one map at most. */
  public static final int MAP_MAX = 4_096;

  private static final SqlFile PROBE = SqlFile.load(Pool.class, "probe");
  private static final SqlFile RENEW = SqlFile.load(Pool.class, "renew");
  private static final SqlFile RELEASE = SqlFile.load(Pool.class, "release");
  private static final SqlFile FIND_CLAIM = SqlFile.load(Pool.class, "find_claim");
  private static final SqlFile LIST_CLAIMS = SqlFile.load(Pool.class, "list_claims");
  private static final SqlFile HISTORY = SqlFile.load(Pool.class, "history");
  private static final SqlFile BLOCKS = SqlFile.load(Pool.class, "blocks");
  private static final SqlFile MAP = SqlFile.load(Pool.class, "map");
  private static final SqlFile LOAD_VERSION = SqlFile.load(Pool.class, "load_version");
  private static final SqlFile QUARANTINE_VALUE = SqlFile.load(Pool.class, "quarantine_value");
  private static final SqlFile JUMP_TOKENS = SqlFile.load(Pool.class, "jump_tokens");
  private static final SqlFile CLOSE_BLOCKS = SqlFile.load(Pool.class, "close_blocks");
  private static final SqlFile PROLONG_ALL = SqlFile.load(Pool.class, "prolong_all");
  private static final SqlFile QUARANTINE_ALL = SqlFile.load(Pool.class, "quarantine_all");

  private static final int QUARANTINE_TRIES_MAX = 8;

  private final Pools pools;
  private final PoolDatabase database;
  private final int id;
  private final String name;
  private final Exhaustion exhaustion;
  private final Claimer claimer;
  private final ClaimQueue queue;
  private final BlockDraw blockDraw;

  private volatile PoolStore.StoredPool stored;
  private volatile long storedNanos;

  Pool(Pools pools, PoolDatabase database, Executor executor, PoolStore.StoredPool stored) {
    this.pools = pools;
    this.database = database;
    this.id = stored.id();
    this.name = stored.spec().name();
    this.stored = stored;
    this.storedNanos = System.nanoTime();
    this.exhaustion = new Exhaustion(name);
    this.blockDraw = new BlockDraw(database, Entropy.strong());
    this.claimer = new Claimer(this, database);
    this.queue = new ClaimQueue(name, exhaustion, claimer::claim, executor);
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
   * Claims for a client, or finds what it holds. Waits for the answer.
   *
   * @throws IllegalArgumentException as {@link #claimAsync}
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
   * Claims for a client without waiting. The result is completed by the thread that talks to the
   * database, so what hangs on it should be short; it fails as {@link #claim} throws.
   *
   * @throws IllegalArgumentException if the pool has no value as it is named, counts for owners and
   *     the request names none, or embeds clients in IPv6 addresses and this one cannot be
   */
  public CompletableFuture<ClaimResult> claimAsync(ClaimRequest request) {
    PoolSpec spec = stored.spec();
    if (spec.perOwner().isPresent() && request.owner().isEmpty()) {
      throw new IllegalArgumentException(
          "pool \"%s\" gives an owner %d values: the claim must name its owner"
              .formatted(name, spec.perOwner().get()));
    }
    spec.ipv6().ifPresent(ipv6 -> ipv6.checkClient(request.client()));
    request.value().ifPresent(this::requirePlace);
    return queue.submit(request);
  }

  /**
   * Extends a claim from now, by {@code lease} or by the lease it was claimed with; one that was
   * claimed without stays held until released. Never brings its end nearer.
   *
   * @param token the claim's fencing token; an older one than the value's present claim changes
   *     nothing
   * @throws PoolUnavailableException if the database did not answer; renewing again is safe
   */
  public RenewResult renew(String value, long token, Optional<Duration> lease) {
    lease.ifPresent(ClaimRequest::checkLease);
    Optional<ClaimRow> renewed =
        ask(
            value,
            place ->
                database.query(
                    name,
                    RENEW,
                    ClaimRow::read,
                    bind("pool_id", id),
                    bind("block_id", place.block()),
                    bind("place", place.place()),
                    bind("token", token),
                    bind("lease_millis", lease.map(Duration::toMillis).orElse(null))));
    if (renewed.isPresent()) {
      return new RenewResult.Renewed(toClaim(renewed.get()));
    }
    return find(value).isPresent() ? new Superseded(name, value) : new NotHeld(name, value);
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
    return release(value, token, Optional.empty());
  }

  /**
   * The same for a value that was used until {@code usedUntil} only, by the database's clock: so
   * whoever has it next is not kept waiting for the end of the lease.
   */
  ReleaseResult release(String value, long token, Optional<Instant> usedUntil) {
    Optional<Freed> freed =
        ask(
            value,
            place ->
                database.queryWithoutRepeat(
                    name,
                    RELEASE,
                    row ->
                        new Freed(
                            ClaimRow.instant(row, "free_at").orElseThrow(), row.getBoolean("woke")),
                    bind("pool_id", id),
                    bind("block_id", place.block()),
                    bind("place", place.place()),
                    bind("token", token),
                    bind(
                        "used_until",
                        usedUntil.map(time -> time.atOffset(ZoneOffset.UTC)).orElse(null))));
    if (freed.isPresent()) {
      exhaustion.forget();
      if (freed.get().woke) {
        pools.wakeOthers(id);
      }
      return new ReleaseResult.Released(freed.get().at);
    }
    return find(value).isPresent() ? new Superseded(name, value) : new NotHeld(name, value);
  }

  private record Freed(Instant at, boolean woke) {}

  /** Returns the claim of a value, if it is held. */
  public Optional<Claim> find(String value) {
    return ask(
            value,
            place ->
                database.query(
                    name,
                    FIND_CLAIM,
                    ClaimRow::read,
                    bind("pool_id", id),
                    bind("block_id", place.block()),
                    bind("place", place.place())))
        .map(this::toClaim);
  }

  /**
   * Lists claims: the blocks in the order they were added, in each the values in ascending order.
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
    checkLimit(limit);
    client.ifPresent(filter -> ClaimRequest.checkName("client", filter));
    owner.ifPresent(filter -> ClaimRequest.checkName("owner", filter));
    Place behind = after.map(this::requirePlace).orElse(Place.NONE);
    return database
        .query(
            name,
            LIST_CLAIMS,
            ClaimRow::read,
            bind("pool_id", id),
            bind("client", client.orElse(null)),
            bind("owner", owner.orElse(null)),
            bind("after_block", behind.block()),
            bind("after_place", behind.place()),
            bind("limit", limit))
        .stream()
        .map(this::toClaim)
        .toList();
  }

  /**
   * Tells who held what, the latest claim first: those that have ended for as long as the pool
   * keeps its history, and those that are held.
   *
   * @param filter which claims
   * @param before only claims with a smaller token, if given: that of the last of the page before
   * @param limit how many at most, 1 to {@value #PAGE_MAX}
   * @throws IllegalArgumentException if the limit is out of range, or the pool has no such value
   */
  public List<PastClaim> history(PastClaim.Filter filter, OptionalLong before, int limit) {
    checkLimit(limit);
    Optional<String> value = filter.value();
    Stream<TenureRow> rows =
        value.isEmpty()
            ? claims(filter, Optional.empty(), before, limit)
            : everyPlaceOf(value.get()).stream()
                .flatMap(place -> claims(filter, Optional.of(place), before, limit))
                .sorted(Comparator.comparingLong(TenureRow::token).reversed())
                .limit(limit);
    return rows.map(row -> row.claim.of(name, valueAt(row.place))).toList();
  }

  private Stream<TenureRow> claims(
      PastClaim.Filter filter, Optional<Place> place, OptionalLong before, int limit) {
    return database
        .query(
            name,
            HISTORY,
            Pool::readTenure,
            bind("pool_id", id),
            bind("block_id", place.map(Place::block).orElse(null)),
            bind("place", place.map(Place::place).orElse(null)),
            bind("client", filter.client().orElse(null)),
            bind("owner", filter.owner().orElse(null)),
            bind("at", filter.at().map(at -> at.atOffset(ZoneOffset.UTC)).orElse(null)),
            bind("before_token", before.orElse(Long.MAX_VALUE)),
            bind("limit", limit))
        .stream();
  }

  /** Where a value is and has been: in a block, and in those that were removed. */
  private List<Place> everyPlaceOf(String value) {
    List<Place> places = reload().layout().everyPlaceOf(value);
    if (places.isEmpty()) {
      throw noValue(value);
    }
    return places;
  }

  /** Counts the values by block and state. Takes time in proportion to those that were issued. */
  public PoolStats stats() {
    PoolSpec unused = freshSpec();
    Map<String, BlockStats> blocks = new LinkedHashMap<>();
    database
        .query(name, BLOCKS, Pool::readBlockStats, bind("pool_id", id))
        .forEach(part -> blocks.merge(part.block(), part, BlockStats::plus));
    if (blocks.isEmpty()) {
      reload();
    }
    return new PoolStats(List.copyOf(blocks.values()));
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
    long start = Math.min(from, layout.positions());
    long end = start + Math.min(limit, layout.positions() - start);
    List<PoolMap.Stretch> stretches = new ArrayList<>();
    StringBuilder states = new StringBuilder();
    for (Window window : layout.windows(start, end)) {
      stretches.add(window.stretch());
      states.append(window.withExcluded(states(window)));
    }
    return new PoolMap(start, layout.positions(), stretches, states.toString());
  }

  /**
   * Returns where a value stands in the pool's {@linkplain #map maps}, be it excluded or not. Empty
   * if no block has it, or it stands behind the {@link Long#MAX_VALUE} positions that maps show.
   */
  public OptionalLong positionOf(String value) {
    OptionalLong position = stored.layout().positionOf(value);
    return position.isPresent() ? position : reload().layout().positionOf(value);
  }

  private String states(Window window) {
    Block.Positions places = window.places();
    return database
        .query(
            name,
            MAP,
            row -> row.getString("states"),
            bind("pool_id", id),
            bind("block_id", window.block().id()),
            bind("from", places.from()),
            bind("to", places.to()))
        .get(0);
  }

  /**
   * Adds a block. Its values can be had at once, whatever their number.
   *
   * @param exclude values of it that are not to be handed out
   * @throws IllegalArgumentException if it cannot be in one pool with the blocks there are: it
   *     overlaps one of them, or is of another family
   */
  public void addBlock(Block block, List<Block> exclude) {
    pools.addBlock(this, block, exclude);
  }

  /**
   * Lets a block run dry: none of its values is handed out any more, those that are held stay so
   * until they are released. Or ends that.
   *
   * @param block the block as it was declared
   * @return false if it is that way already
   * @throws IllegalArgumentException if the pool has no such block
   */
  public boolean drain(String block, boolean draining) {
    return pools.drain(this, block, draining);
  }

  /**
   * Removes a block that is drained and of which nothing is held or quarantined.
   *
   * @param block the block as it was declared
   * @return false if it is not drained, or values of it are held or rest: nothing is changed
   * @throws IllegalArgumentException if the pool has no such block, or no other
   */
  public boolean removeBlock(String block) {
    return pools.removeBlock(this, block);
  }

  /**
   * Lets a value rest that nobody holds: it is handed out to nobody for a time. A value that rests
   * already does so until the later of the two times.
   *
   * @param length for how long, up to {@link PoolSpec#DURATION_MAX}
   * @return until when, or empty if somebody holds it: nothing is changed
   * @throws IllegalArgumentException if the pool has no such value, or the length is out of range
   */
  public Optional<Instant> quarantine(String value, Duration length) {
    checkQuarantine(length);
    for (int tries = 0; tries < QUARANTINE_TRIES_MAX; tries++) {
      Place place = requirePlace(value);
      Optional<Long> version = versionOf(place);
      if (version.isEmpty()) {
        reload();
        continue;
      }
      List<Instant> until =
          database.query(
              name,
              QUARANTINE_VALUE,
              row -> ClaimRow.instant(row, "until").orElseThrow(),
              bind("pool_id", id),
              bind("block_id", place.block()),
              bind("place", place.place()),
              bind("version", version.get()),
              bind("millis", length.toMillis()));
      if (!until.isEmpty()) {
        return Optional.of(until.get(0));
      }
      if (find(value).isPresent()) {
        return Optional.empty();
      }
      // The lease of whoever held it may have ended, and nobody has swept it yet.
      sweep();
    }
    return Optional.empty();
  }

  /**
   * Lets every value rest that nobody holds, those that rest already until the later of the two
   * times, and gives none back to its last client before that. What is held rests at least until
   * then when it comes back. For the day the database was set back to an earlier state: what looks
   * free, or held by somebody, may have been given to somebody else since. Later claims have tokens
   * far beyond any that may have been drawn since.
   *
   * @param length for how long: longer than any claim is held
   * @throws IllegalArgumentException if the length is out of range
   */
  public void quarantineAll(Duration length) {
    checkQuarantine(length);
    database.query(name, JUMP_TOKENS, row -> row.getLong("token"));
    int unused =
        database.single(
            name,
            statements ->
                statements.update(
                    CLOSE_BLOCKS, bind("pool_id", id), bind("millis", length.toMillis())));
    sweep();
    PoolDatabase.untilNothingIsFound(() -> count(PROLONG_ALL) + count(QUARANTINE_ALL));
  }

  private long count(SqlFile statement) {
    return database.query(name, statement, row -> row.getLong("moved"), bind("pool_id", id)).get(0);
  }

  int id() {
    return id;
  }

  /** Lets a connection run the statements of a claim once, for speed alone. */
  void warmUp() {
    try {
      claimer.warmUp();
      Probe unused = probe(Long.MAX_VALUE);
    } catch (PoolUnavailableException e) {
      // The first claim will tell.
    }
  }

  /** Its settings, read again where they were read too long ago. */
  PoolSpec freshSpec() {
    if (System.nanoTime() - storedNanos > SETTINGS_KNOWN_FOR.toNanos()) {
      reload();
    }
    return stored.spec();
  }

  /** A value can be had again, as another instance tells. */
  void wake() {
    exhaustion.forget();
  }

  boolean isKnownToBeEmpty() {
    return exhaustion.rejection().isPresent();
  }

  void sweep() {
    pools.sweep(id, name);
  }

  void withdraw() {
    pools.withdraw(id, name);
  }

  /**
   * Makes so many values claimable that were never issued, if there are. False if there are none.
   */
  boolean draw(long wanted) {
    return blockDraw.draw(stored, this::reload, wanted);
  }

  /**
   * Finds out whether nothing is free, having swept what is due, and remembers it if so. Empty
   * where values are free but locked, or have just become free: the clients may ask again.
   */
  Optional<ClaimResult.Exhausted> findExhausted() {
    Optional<ClaimResult.Exhausted> remembered = exhaustion.rejection();
    if (remembered.isPresent()) {
      return remembered;
    }
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
    return Optional.of(exhaustion.learn(probe, epoch, sentNanos));
  }

  /** The answer for one who got nothing though something may be free. */
  ClaimResult.Exhausted askWhenNext() {
    Probe probe = probe();
    if (!probe.known()) {
      throw unknown();
    }
    return exhaustion.answer(probe);
  }

  private Probe probe() {
    return probe(exhaustion.lastToken());
  }

  private Probe probe(long afterToken) {
    return database
        .query(
            name,
            PROBE,
            row ->
                new Probe(
                    row.getBoolean("known"),
                    row.getBoolean("any_free"),
                    ClaimRow.instant(row, "at").orElseThrow(),
                    ClaimRow.instant(row, "next_due").orElse(null),
                    row.getLong("last_token"),
                    row.getLong("last_drawn"),
                    Arrays.asList((String[]) row.getArray("holders").getArray())),
            bind("pool_id", id),
            bind("after_token", afterToken),
            bind("holders_max", Exhaustion.HOLDERS_MAX))
        .get(0);
  }

  /** Where the search for a free value starts: instances should not meet at the same rows. */
  Place searchStart() {
    return stored.spec().order() == PoolSpec.Order.ASCENDING
        ? Place.NONE
        : stored.layout().placeAt(Entropy.strong().nextDouble());
  }

  /** The place of a value, as far as is known: its block may have been removed since. */
  Optional<Place> placeOf(String value) {
    Optional<Place> place = stored.layout().placeOf(value);
    return place.isPresent() ? place : reload().layout().placeOf(value);
  }

  Place requirePlace(String value) {
    return placeOf(value).orElseThrow(() -> noValue(value));
  }

  /**
   * Asks about a value where it is, or where it is now: the block that it was in may have been
   * removed, and added again, since the pool was read. Empty where there is no row.
   */
  private <T> Optional<T> ask(String value, Function<Place, List<T>> question) {
    Optional<Place> place = placeOf(value);
    if (place.isEmpty()) {
      return Optional.empty();
    }
    List<T> rows = question.apply(place.get());
    if (rows.isEmpty() && versionOf(place.get()).isEmpty()) {
      rows = reload().layout().placeOf(value).map(question).orElse(List.of());
    }
    return rows.stream().findFirst();
  }

  /** The version of a value's block, or empty where that was removed. */
  private Optional<Long> versionOf(Place place) {
    return database
        .query(name, LOAD_VERSION, row -> row.getLong("version"), bind("block_id", place.block()))
        .stream()
        .findFirst();
  }

  private IllegalArgumentException noValue(String value) {
    return new IllegalArgumentException("pool \"" + name + "\" has no value " + Quoted.of(value));
  }

  private String valueAt(Place place) {
    return stored
        .layout()
        .valueAt(place)
        .or(() -> reload().layout().valueAt(place))
        .orElseThrow(() -> new IllegalStateException("pool \"" + name + "\" has no " + place));
  }

  /** Reads the pool again: a block may have been added, a setting changed. */
  PoolStore.StoredPool reload() {
    long nanos = System.nanoTime();
    PoolStore.StoredPool fresh =
        pools
            .load(name, Optional.of(stored.layout()))
            .filter(found -> found.id() == id)
            .orElseThrow(this::unknown);
    stored = fresh;
    storedNanos = nanos;
    return fresh;
  }

  private UnknownPoolException unknown() {
    pools.forget(this);
    return new UnknownPoolException(name);
  }

  Claim toClaim(ClaimRow row) {
    String value = valueAt(row.place());
    return new Claim(
        name,
        value,
        row.client(),
        row.slot(),
        row.owner(),
        row.token(),
        row.claimedAt(),
        row.expiresAt(),
        row.previousEnd(),
        ipv6For(row.client(), value));
  }

  /**
   * Empty too where the client is none that could be embedded: it claimed before that was asked.
   */
  private Optional<String> ipv6For(String client, String value) {
    Optional<Ipv6Embedding> embedding = stored.spec().ipv6();
    try {
      return embedding.map(ipv6 -> ipv6.addressFor(client, value));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static void checkLimit(int limit) {
    if (limit < 1 || limit > PAGE_MAX) {
      throw new IllegalArgumentException("limit is " + limit + ": expected 1 to " + PAGE_MAX);
    }
  }

  private static void checkQuarantine(Duration length) {
    if (length.isNegative() || length.isZero() || length.compareTo(PoolSpec.DURATION_MAX) > 0) {
      throw new IllegalArgumentException(
          "quarantine is %s: expected more than nothing, up to %s"
              .formatted(DurationText.format(length), DurationText.format(PoolSpec.DURATION_MAX)));
    }
  }

  private record TenureRow(Place place, long token, UnnamedTenure claim) {}

  /** A claim whose value is not told yet. */
  private interface UnnamedTenure {
    PastClaim of(String pool, String value);
  }

  private static TenureRow readTenure(ResultSet row) throws SQLException {
    Place place = new Place(row.getInt("block_id"), row.getLong("place"));
    String client = row.getString("client");
    int slot = row.getInt("slot");
    Optional<String> owner = Optional.ofNullable(row.getString("owner"));
    long token = row.getLong("token");
    Instant claimedAt = ClaimRow.instant(row, "claimed_at").orElseThrow();
    Optional<Instant> endedAt = ClaimRow.instant(row, "ended_at");
    Optional<Ending> ending =
        Optional.ofNullable(row.getString("ending"))
            .map(text -> Ending.valueOf(text.toUpperCase(Locale.ROOT)));
    return new TenureRow(
        place,
        token,
        (pool, value) ->
            new PastClaim(pool, value, client, slot, owner, token, claimedAt, endedAt, ending));
  }

  private static BlockStats readBlockStats(ResultSet row) throws SQLException {
    return new BlockStats(
        row.getString("declared"),
        row.getBoolean("drains"),
        row.getBigDecimal("free").toBigIntegerExact(),
        row.getBigDecimal("never_issued").toBigIntegerExact(),
        row.getBigDecimal("held").toBigIntegerExact(),
        row.getBigDecimal("quarantined").toBigIntegerExact(),
        row.getBigDecimal("draining").toBigIntegerExact());
  }

  @Override
  public String toString() {
    return "pool \"" + name + "\"";
  }
}
