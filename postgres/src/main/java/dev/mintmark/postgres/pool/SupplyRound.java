package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;
import static dev.mintmark.postgres.internal.Transactions.Bind.bindTime;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import dev.mintmark.postgres.pool.ManyClaims.Named;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What {@link PoolSupply} does for one pool at one time. Each statement finds out by itself whether
 * it is too late for what was read before. For one thread.
 */
final class SupplyRound {
  private static final SqlFile LOOK = SqlFile.load(SupplyRound.class, "supply_look");
  private static final SqlFile USED = SqlFile.load(SupplyRound.class, "supply_used");
  private static final SqlFile EXTEND = SqlFile.load(SupplyRound.class, "supply_extend");
  private static final SqlFile DRAIN_LOST = SqlFile.load(SupplyRound.class, "supply_drain_lost");
  private static final SqlFile SPARE = SqlFile.load(SupplyRound.class, "supply_spare");
  private static final SqlFile REUSE = SqlFile.load(SupplyRound.class, "supply_reuse");
  private static final SqlFile RETURN = SqlFile.load(SupplyRound.class, "supply_return");
  private static final SqlFile GIVE_UP = SqlFile.load(SupplyRound.class, "supply_give_up");
  private static final SqlFile RETURNED = SqlFile.load(SupplyRound.class, "supply_returned");
  private static final SqlFile FORGET = SqlFile.load(SupplyRound.class, "supply_forget");
  private static final SqlFile ASK = SqlFile.load(SupplyRound.class, "supply_ask");
  private static final SqlFile ATTACH = SqlFile.load(SupplyRound.class, "supply_attach");
  private static final SqlFile BIND = SqlFile.load(SupplyRound.class, "supply_bind");
  private static final SqlFile REFUSE = SqlFile.load(SupplyRound.class, "supply_refuse");
  private static final SqlFile LAST_TOKEN = SqlFile.load(SupplyRound.class, "last_token");
  private static final SqlFile RAISE_TOKENS = SqlFile.load(SupplyRound.class, "raise_tokens");

  /** How often the source is asked at least; with a short lease, four times in that. */
  private static final Duration ASKED_EVERY = Duration.ofMinutes(1);

  /** After this time what the source has answered is of no use any more. */
  private static final Duration LATE = Duration.ofMinutes(1);

  /** After this time a program that has asked the source was killed. */
  private static final Duration STALE = Duration.ofMinutes(1);

  /** The part of a lease that is not used, as in {@link SliceTerm}, beside the minimum. */
  private static final int MARGIN_PART = 200;

  private static final Duration MARGIN_MIN = Duration.ofSeconds(1);

  /** A database draws fewer tokens than this in a millisecond. */
  private static final long TOKENS_PER_MILLI = 1_000;

  /** The most blocks that are claimed at one time. */
  private static final int CLAIMED_AT_ONCE = 64;

  /** The most blocks that are drained at one time. */
  private static final int DRAINED_AT_ONCE = 16;

  /** The most claims that are released at one time. */
  private static final int RELEASED_AT_ONCE = 100;

  private final Pool pool;
  private final PoolContext context;
  private final PoolDatabase database;
  private final Pool source;
  private final PoolDatabase sourceDatabase;

  /** Read before anything else: what is recorded by it was not asked before a failover. */
  private final Fence.Known known;

  SupplyRound(Pool pool, Pool source) {
    this.pool = pool;
    this.context = pool.context();
    this.database = context.prompt().withLockLimit(Claimer.PATIENCE);
    this.source = source;
    this.sourceDatabase = source.context().prompt();
    this.known = context.fence().known();
  }

  /** What is to be done, as supply_look.sql says. */
  private record Look(
      Instant at,
      boolean isFenced,
      Optional<Duration> askedAgo,
      boolean isKnown,
      long keepFree,
      long blocks,
      long free,
      boolean hasStale,
      boolean hasLost,
      boolean hasReturned,
      boolean hasEmpty) {
    static Look read(ResultSet row) throws SQLException {
      return new Look(
          ClaimRow.instant(row, "at").orElseThrow(),
          "fenced".equals(row.getString("fence")),
          Optional.ofNullable(row.getObject("asked_millis", Long.class)).map(Duration::ofMillis),
          row.getBoolean("is_known"),
          row.getLong("keep_free"),
          row.getLong("blocks"),
          row.getLong("free"),
          row.getBoolean("has_stale"),
          row.getBoolean("has_lost"),
          row.getBoolean("has_returned"),
          row.getBoolean("has_empty"));
    }

    boolean isDue(Optional<Duration> sourceLease) {
      Duration every =
          sourceLease
              .map(lease -> lease.dividedBy(4))
              .filter(part -> part.compareTo(ASKED_EVERY) < 0)
              .orElse(ASKED_EVERY);
      return !isKnown || askedAgo.filter(ago -> ago.compareTo(every) < 0).isEmpty();
    }
  }

  /** A claim in the source whose value is a block. */
  private record Used(long id, Named claim) {
    static Used read(ResultSet row) throws SQLException {
      return new Used(
          row.getLong("supply_id"), new Named(row.getString("value"), row.getLong("token")));
    }
  }

  /** A claim in the source that may be released; its value is null if it is not known. */
  private record Returned(long id, String client, @Nullable String value, long token) {
    static Returned read(ResultSet row) throws SQLException {
      return new Returned(
          row.getLong("supply_id"),
          row.getString("client"),
          row.getString("value"),
          row.getLong("token"));
    }
  }

  void run() {
    Optional<Look> seen = look();
    if (seen.isEmpty()) {
      return;
    }
    Look look = seen.get();
    if (look.isFenced) {
      context.settle();
      return;
    }
    // First of all what needs no answer of the source.
    boolean isReused = reuse(look);
    boolean isDue = look.isDue(source.spec().lease());
    if (isDue) {
      exchange(look.at);
      drainSpare();
    }
    (isReused || isDue ? look() : seen).ifPresent(this::keepFree);
  }

  /** Empty if the pool was deleted. */
  private Optional<Look> look() {
    return database.query(LOOK, Look::read, fenced(bind("stale_millis", STALE.toMillis()))).stream()
        .findFirst();
  }

  /** Uses blocks again that were not needed, if few values are free; whether there were any. */
  private boolean reuse(Look look) {
    long free = look.free;
    while (free < look.keepFree) {
      List<Long> more = database.query(REUSE, row -> row.getLong("free"), context.poolId());
      if (more.isEmpty()) {
        break;
      }
      free += more.get(0);
    }
    if (free > look.free) {
      wake();
    }
    return free > look.free;
  }

  /** The pool has values again. */
  private void wake() {
    pool.pools().changed(pool);
    pool.pools().issueFirst(pool.name());
  }

  /** Gives back what is not used, and adds blocks if few values are free. */
  private void keepFree(Look look) {
    if (look.hasLost) {
      drainLost();
    }
    boolean hasReturned = look.hasReturned;
    if (look.hasStale) {
      hasReturned |= update(GIVE_UP, context.poolId(), bind("stale_millis", STALE.toMillis())) > 0;
    }
    if (look.hasEmpty) {
      hasReturned |=
          database.query(RETURN, row -> row.getLong("returned"), context.poolId()).get(0) > 0;
    }
    if (hasReturned) {
      releaseReturned();
    }
    if (look.free < look.keepFree) {
      add(look);
    }
  }

  /**
   * Drains blocks until few enough values are free. It counts them, which may take longer than the
   * other statements.
   */
  private void drainSpare() {
    int drained = 1;
    for (int i = 0; i < DRAINED_AT_ONCE && drained > 0; i++) {
      drained = context.database().single(statements -> statements.update(SPARE, context.poolId()));
    }
  }

  /**
   * Renews what the pool has, and records what became of it.
   *
   * @param at the time here
   */
  private void exchange(Instant at) {
    List<Used> used = database.query(USED, Used::read, context.poolId());
    Instant there = PoolStandings.clock(sourceDatabase);
    tellTokens();
    List<Named> claims = used.stream().map(Used::claim).toList();
    Map<Long, Claim> renewed = new HashMap<>();
    if (!claims.isEmpty()) {
      source
          .many()
          .renew(claims, Optional.empty(), Optional.empty())
          .renewed()
          .forEach(claim -> renewed.put(claim.token(), claim));
    }
    List<Long> kept = new ArrayList<>();
    List<@Nullable Long> keptMillis = new ArrayList<>();
    List<Long> lost = new ArrayList<>();
    for (Used one : used) {
      Claim claim = renewed.get(one.claim.token());
      if (claim == null) {
        lost.add(one.id);
      } else {
        kept.add(one.id);
        keptMillis.add(lasts(claim, there));
      }
    }
    Optional<Duration> lease = source.context().freshSpec().lease();
    int unused =
        update(
            EXTEND,
            fenced(
                bindTime("at", Optional.of(at)),
                bind("kept", kept.toArray(Long[]::new)),
                bind("kept_millis", keptMillis.toArray(Long[]::new)),
                bind("lost", lost.toArray(Long[]::new)),
                bind("alone_millis", lease.map(SupplyRound::withMargin).orElse(null)),
                bind("late_millis", LATE.toMillis())));
    if (!lost.isEmpty()) {
      drainLost();
    }
  }

  /** The claims in the source whose values are blocks of a pool. */
  static List<Named> used(PoolDatabase database, Bind poolId) {
    return database.query(USED, Used::read, poolId).stream().map(Used::claim).toList();
  }

  private void drainLost() {
    int unused = update(DRAIN_LOST, context.poolId());
  }

  /**
   * How long a claim lasts for certain, in milliseconds from the time that was read here, before
   * that there was.
   *
   * @return null if it has no end
   */
  private static @Nullable Long lasts(Claim claim, Instant there) {
    return claim.expiresAt().map(end -> withMargin(Duration.between(there, end))).orElse(null);
  }

  private static long withMargin(Duration length) {
    return length.minus(length.dividedBy(MARGIN_PART)).minus(MARGIN_MIN).toMillis();
  }

  /**
   * Tells the source which tokens were drawn here, so that whoever has a value next has greater
   * ones: {@link #raiseTokens} there.
   */
  private void tellTokens() {
    if (pool.pools() != source.pools()) {
      raiseTokens(sourceDatabase, database.query(LAST_TOKEN, row -> row.getLong("token")).get(0));
    }
  }

  private static void raiseTokens(PoolDatabase database, long floor) {
    var unused = database.query(RAISE_TOKENS, row -> "", bind("floor", floor));
  }

  private void releaseReturned() {
    tellTokens();
    for (Returned one :
        database.query(
            RETURNED, Returned::read, context.poolId(), bind("limit", RELEASED_AT_ONCE))) {
      if (one.value == null) {
        source
            .claims(ClaimFilter.ofClient(one.client), 1)
            .forEach(claim -> release(claim.value(), claim.token()));
      } else {
        release(one.value, one.token);
      }
      forget(one.id, "returned");
    }
  }

  /** It may have ended already: whatever the answer is, the pool does not have it any more. */
  private void release(String value, long token) {
    var unused = source.release(value, token);
  }

  private void forget(long id, String state) {
    int unused = update(FORGET, bind("supply_id", id), bind("state", state));
  }

  /** Adds blocks until enough values are free, or the source gives none. */
  private void add(Look look) {
    var unused = pool.spec().requireSuppliedBy(source.context().freshSpec());
    long free = look.free;
    try {
      for (int i = 0; i < CLAIMED_AT_ONCE && free < look.keepFree; i++) {
        checkCount(look.blocks + i);
        Optional<Long> more = claim();
        if (more.isEmpty()) {
          return;
        }
        free += more.get();
      }
    } finally {
      if (free > look.free) {
        wake();
      }
    }
  }

  private void checkCount(long blocks) {
    if (blocks >= PoolSpec.BLOCKS_MAX) {
      throw new PoolUnavailableException(
          "it has %s blocks, as many as a pool may have, and fewer free values than it is to keep: expected longer runs or shorter prefixes in pool %s"
              .formatted(blocks, Quoted.of(source.name())));
    }
  }

  /** Claims another block; returns how many values it has. Empty if there is none. */
  private Optional<Long> claim() {
    String client = pool.name() + "/" + UUID.randomUUID();
    List<Long> asked =
        database.queryWithoutRepeat(
            ASK, row -> row.getLong("supply_id"), fenced(bind("client", client)));
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    long id = asked.get(0);
    Instant at = PoolStandings.clock(database);
    Instant there = PoolStandings.clock(sourceDatabase);
    ClaimResult result = source.claim(ClaimRequest.of(client).withOwner(pool.name()));
    if (result instanceof Granted granted) {
      return attach(id, granted.claim(), at, there);
    }
    if (result instanceof AlreadyHeld held) { // It was granted, and the answer was lost.
      return attach(id, held.claim(), at, there);
    }
    if (result instanceof Contended) {
      return Optional.empty(); // It is looked for later, in case that it was granted.
    }
    forget(id, "asked");
    if (result instanceof Exhausted || result instanceof QuotaReached) {
      return Optional.empty();
    }
    throw new PoolUnavailableException(
        "pool %s gives no block: %s".formatted(Quoted.of(source.name()), result.outcome()));
  }

  /** Makes a claim a block, or releases it. */
  private Optional<Long> attach(long id, Claim claim, Instant at, Instant there) {
    if (pool.pools() != source.pools()) {
      // Who had the value before may have drawn tokens since it has told which.
      long unknown = source.spec().lease().map(Duration::toMillis).orElse(0L) * TOKENS_PER_MILLI;
      raiseTokens(database, claim.token() + unknown);
    }
    boolean isAttached;
    try {
      isAttached =
          context.ifKnown(
              () ->
                  database.transactionWithoutRepeat(
                      statements -> attach(id, claim, at, there, statements), done -> done));
    } catch (UnknownPoolException e) {
      release(claim.value(), claim.token());
      throw e;
    }
    if (isAttached) {
      // As many as would ever be needed: the sum of several must be a long.
      return Optional.of(Math.min(Block.parse(claim.value()).size(), PoolSpec.KEEP_FREE_MAX));
    }
    int unused =
        update(
            REFUSE,
            bind("supply_id", id),
            bind("value", claim.value()),
            bind("token", claim.token()));
    release(claim.value(), claim.token());
    forget(id, "returned");
    return Optional.empty();
  }

  private boolean attach(long id, Claim claim, Instant at, Instant there, Statements statements)
      throws SQLException {
    context.lock(statements);
    PoolSpec spec =
        PoolStore.load(statements, pool.name(), Optional.of(context.layout())).orElseThrow().spec();
    Block block = Block.parse(claim.value());
    int attached =
        statements.update(
            ATTACH,
            fenced(
                bind("supply_id", id),
                bind("value", claim.value()),
                bind("token", claim.token()),
                bindTime("at", Optional.of(at)),
                bind("kept_millis", lasts(claim, there))));
    if (attached == 0 || spec.blocks().stream().anyMatch(block::overlaps)) {
      return false;
    }
    PoolStore.addBlocks(statements, pool.id(), List.of(block), List.of());
    return statements.update(
            BIND,
            context.poolId(),
            bind("supply_id", id),
            bind("declared", block.toString()),
            bind("was_used", claim.previousEnd().isPresent()))
        == 1;
  }

  private int update(SqlFile statement, Bind... binds) {
    return database.single(statements -> statements.update(statement, binds));
  }

  /** The parameters of a statement that compares what this instance knows, and others. */
  private Bind[] fenced(Bind... others) {
    List<Bind> binds = new ArrayList<>(known.binds());
    binds.add(context.poolId());
    binds.addAll(Arrays.asList(others));
    return binds.toArray(Bind[]::new);
  }
}
