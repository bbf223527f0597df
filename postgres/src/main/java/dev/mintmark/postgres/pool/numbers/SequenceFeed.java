package dev.mintmark.postgres.pool.numbers;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Block;
import dev.mintmark.DurationText;
import dev.mintmark.NumberRange;
import dev.mintmark.NumberRuns;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.LockTimeout;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import dev.mintmark.postgres.internal.Transactions;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.internal.Transactions.Work;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Feeds a {@code bigint} sequence of one database with runs of numbers from a pool of another
 * database. So the sequences of several databases never return the same number, and no ranges are
 * assigned by hand.
 *
 * <pre>
 *   pool "order-numbers": 1..999999999999 by 1000000, no lease
 *        | claim, by a client used once                  | claim
 *        v                                               v
 *   database "brazil"   1..1000000                  database "canada"   1000001..2000000
 *     alter sequence orders_id_seq                    alter sequence orders_id_seq
 *       minvalue 1 maxvalue 1000000                     minvalue 1000001 maxvalue 2000000
 * </pre>
 *
 * <p><b>No overlap.</b> The pool gives a run to at most one client, and the bounds of the sequence
 * are always those of runs that were given to this database, so PostgreSQL keeps {@code nextval}
 * within them. Without refills {@code nextval} fails with SQLSTATE 2200H ({@code
 * sequence_generator_limit_exceeded}); it never returns numbers of another database.
 *
 * <p><b>A refill may stop at any statement</b>, and any number of instances may refill at the same
 * time. A refill commits the client that will claim a run to the database of the sequence, claims
 * the run, records it, and then moves the sequence and records the move in one transaction. The
 * next refill completes what was recorded; a second claim of the same client returns the same run.
 *
 * <p><b>When a sequence is moved.</b> When fewer than {@code ahead} numbers are left: a fifth of a
 * run by default. If the next run starts where the present one ends, the sequence continues through
 * both. Otherwise it jumps, and the numbers that were left stay unused.
 *
 * <p><b>A move waits for open transactions</b> that have taken a number, and {@code nextval} of
 * other sessions waits after it. So a move gives up after {@link #LOCK_TIMEOUT} and tries again
 * later. If a transaction stays open until the {@code ahead} numbers are used up, {@code nextval}
 * fails.
 *
 * <p><b>A copy of the database</b> (a clone for staging, a restored backup) has the same runs. A
 * refill is rejected there if the copy can be recognized: by the system identifier of the server
 * and the number of the database in it. {@link #refillFresh} gives the copy a run of its own at
 * once.
 *
 * <p><b>A failover of the database of the sequence</b>, or a restore, sets {@code nextval} back if
 * commits were lost: it returns numbers again that programs have seen. So the feed records the
 * timeline of the database, and after a change the first refill abandons the present run and
 * everything else that was drawn, and moves the sequence to a run of its own, unless {@link
 * #trustingFailover} was declared. Between the failover and that move the sequence goes on from
 * where it was set back to. A restore that keeps the timeline, such as that of a disk, is not
 * recognized: call {@link #refillFresh} before the database is written to.
 *
 * <p>Requires {@link #MIGRATIONS} in the database of the sequence and a role there that owns the
 * sequence. Works through a pooler in transaction mode. Immutable; safe for use by many threads.
 *
 * <pre>{@code
 * SequenceFeed feed =
 *     SequenceFeed.of(pools.open("order-numbers"), brazil, "public.orders_id_seq");
 * RefillResult result = feed.refill();
 * try (SequenceFeedRunner runner = SequenceFeedRunner.start(feed, Duration.ofSeconds(10), log)) {
 *   // ...
 * }
 * }</pre>
 */
public final class SequenceFeed {
  /** Where the migration for databases with such sequences is, on the class path (for Flyway). */
  public static final String MIGRATIONS = "dev/mintmark/postgres/pool/numbers/feed";

  /** How long a move waits for open transactions, while other sessions wait after it. */
  public static final Duration LOCK_TIMEOUT = Duration.ofMillis(100);

  private static final SqlFile INTEND = SqlFile.load(SequenceFeed.class, "feed_intend");
  private static final SqlFile RECORD = SqlFile.load(SequenceFeed.class, "feed_record");
  private static final SqlFile SETTLE = SqlFile.load(SequenceFeed.class, "feed_settle");
  private static final SqlFile FORGET = SqlFile.load(SequenceFeed.class, "feed_forget");
  private static final SqlFile LOCK = SqlFile.load(SequenceFeed.class, "feed_lock");
  private static final SqlFile TIMELINE = SqlFile.load(SequenceFeed.class, "feed_timeline");
  private static final SqlFile MOVED = SqlFile.load(SequenceFeed.class, "feed_moved");

  /** The part of a run that is left when the next run is drawn, by default. */
  private static final int AHEAD_PART = 5;

  /** The most tries of a move, with a pause between them that doubles: 1.5 s in all. */
  private static final int MOVES_MAX = 5;

  private static final long PAUSE_MILLIS = 100;

  /**
   * The timeline, and then twice: intend, claim and record, move. Once for what another instance
   * has left, and once more.
   */
  private static final int ROUNDS_MAX = 7;

  private static final String UNDEFINED_COLUMN = "42703";

  private final Pool pool;
  private final Transactions database;
  private final String sequence;
  private final OptionalLong ahead;
  private final boolean trustsFailover;

  private SequenceFeed(
      Pool pool,
      Transactions database,
      String sequence,
      OptionalLong ahead,
      boolean trustsFailover) {
    if (sequence.indexOf('.') < 0) {
      throw new IllegalArgumentException(
          "sequence " + Quoted.of(sequence) + ": expected its schema, a dot and its name");
    }
    this.pool = pool;
    this.database = database;
    this.sequence = sequence;
    this.ahead = ahead;
    this.trustsFailover = trustsFailover;
    SqlName.quotedTable(sequence);
  }

  /**
   * Creates a feed of a sequence. Neither database is queried yet.
   *
   * @param pool runs of numbers, as {@code 1..999999999999 by 1000000}, without a lease
   * @param database the database of the sequence
   * @param sequence its schema, a dot and its name, as PostgreSQL keeps them: {@code
   *     public.orders_id_seq}
   * @throws IllegalArgumentException if the name is malformed, or the pool has a lease or values
   *     other than numbers
   */
  public static SequenceFeed of(Pool pool, DataSource database, String sequence) {
    pool.spec()
        .lease()
        .ifPresent(
            lease -> {
              throw new IllegalArgumentException(
                  "pool %s cannot feed sequences: it has a lease of %s, so that runs would come back"
                      .formatted(Quoted.of(pool.name()), DurationText.format(lease)));
            });
    for (Block block : pool.spec().blocks()) {
      if (!(block instanceof NumberRuns) && !(block instanceof NumberRange)) {
        throw new IllegalArgumentException(
            "pool %s cannot feed sequences: it has the block %s: expected runs of numbers, such as 1..999999 by 1000"
                .formatted(Quoted.of(pool.name()), block));
      }
    }
    return new SequenceFeed(
        pool, new Transactions(database), sequence, OptionalLong.empty(), false);
  }

  /**
   * The same, but the next run is drawn when fewer numbers than these are left.
   *
   * @param numbers at least 1; more than half of a run counts as half of a run
   */
  public SequenceFeed withAhead(long numbers) {
    if (numbers < 1) {
      throw new IllegalArgumentException("ahead is " + numbers + ": expected at least 1");
    }
    return new SequenceFeed(pool, database, sequence, OptionalLong.of(numbers), trustsFailover);
  }

  /**
   * The same, but the sequence continues after a failover, and the timeline is not read. You
   * declare that the database loses no commit in a failover: its replication is synchronous, also
   * for the transactions that call {@code nextval}.
   */
  public SequenceFeed trustingFailover() {
    return new SequenceFeed(pool, database, sequence, ahead, true);
  }

  /** The sequence: its schema, a dot and its name. */
  public String sequence() {
    return sequence;
  }

  /**
   * Draws a run and moves the sequence to it, if too few numbers are left. Completes a refill that
   * was stopped. A sequence that was never fed is moved at once.
   *
   * @throws IllegalStateException if the sequence cannot be fed; the message has the reason and a
   *     remedy
   * @throws PoolUnavailableException if the database of the pool failed; refilling again is safe
   * @throws SQLException if the database of the sequence failed; refilling again is safe
   */
  public RefillResult refill() throws SQLException {
    return refill(false);
  }

  /**
   * Draws a run and moves the sequence to it at once, however many numbers are left: for a copy of
   * a database, whose runs are those of the original. If it is stopped, call it again; a run may
   * then stay unused.
   *
   * @throws IllegalStateException as {@link #refill}
   * @throws PoolUnavailableException as {@link #refill}
   * @throws SQLException as {@link #refill}
   */
  public RefillResult refillFresh() throws SQLException {
    check(look(), true);
    inTransaction(statements -> statements.update(FORGET, bind("sequence", sequence)));
    return refill(true);
  }

  private RefillResult refill(boolean fresh) throws SQLException {
    for (int round = 0; round < ROUNDS_MAX; round++) {
      FeedLook look = look();
      check(look, fresh);
      if (look.isOnAnotherTimeline()) {
        inTransaction(statements -> statements.update(TIMELINE, bind("sequence", sequence)));
        continue;
      }
      if (!leavesRun(look, fresh) && !wantsRun(look)) {
        return new RefillResult.Sufficient(sequence, look.remaining());
      }
      Optional<RefillResult> result = look.waiting().isPresent() ? move(fresh) : draw(look);
      if (result.isPresent()) {
        return result.get();
      }
    }
    throw cannot("others use up its runs as soon as they are drawn; refill again");
  }

  private FeedLook look() throws SQLException {
    try {
      return inTransaction(this::look);
    } catch (SQLException e) {
      if (UNDEFINED_COLUMN.equals(e.getSQLState())) {
        throw cannot("its tables belong to an earlier version; run its migration again", e);
      }
      throw e;
    }
  }

  private <T> T inTransaction(Work<T> work) throws SQLException {
    return database.transaction(work, result -> true);
  }

  private FeedLook look(Statements statements) throws SQLException {
    return FeedLook.read(statements, sequence, !trustsFailover)
        .orElseThrow(() -> cannot("there is no such sequence"));
  }

  /** Rejects a sequence that cannot be fed. */
  private void check(FeedLook look, boolean fresh) {
    if (!look.type().equals("bigint")) {
      throw cannot(
          "it is of type " + look.type() + ": expected bigint; alter sequence ... as bigint");
    }
    if (look.increment() != 1) {
      throw cannot(
          "its increment is %s: expected 1; with another one a program may use the numbers around the one it draws, which can be another database's"
              .formatted(look.increment()));
    }
    if (look.cycles()) {
      throw cannot("it cycles, and would give its numbers again; alter sequence ... no cycle");
    }
    if (!look.permanent()) {
      throw cannot(
          "it is unlogged or temporary, and after a crash would give its numbers again; alter sequence ... set logged, or feed another one");
    }
    if (!look.owned()) {
      throw cannot("this role does not own it; connect as its owner");
    }
    if (!look.readable()) {
      throw cannot("its owner may not read it; grant select on sequence ...");
    }
    if (look.pool().filter(other -> !other.equals(pool.name())).isPresent()) {
      throw cannot("it is fed from pool " + Quoted.of(look.pool().orElseThrow()));
    }
    if (!fresh && look.home().filter(other -> !other.equals(look.here())).isPresent()) {
      throw cannot(
          "this database is a copy of the one in which it was fed, and has the same runs; to give it"
              + " a run of its own, refill it fresh");
    }
    if (!fresh && look.bounds().isPresent() && !look.isWithinRuns()) {
      throw cannot(
          "it has been altered to give numbers from %s to %s: expected %s; to give it a run of its own, refill it fresh"
              .formatted(look.min(), look.max(), look.bounds().get()));
    }
  }

  /** Whether the numbers that are left of the present run are not to be used. */
  private static boolean leavesRun(FeedLook look, boolean fresh) {
    return fresh || look.abandoned();
  }

  /** Whether fewer numbers are left than wanted, or those that are left were never drawn. */
  private boolean wantsRun(FeedLook look) {
    if (look.bounds().isEmpty()) {
      return true;
    }
    long wanted = ahead.orElse(look.presentSize() / AHEAD_PART);
    return look.remaining() < Math.max(1, Math.min(wanted, look.presentSize() / 2));
  }

  /**
   * Claims a run and records it, for the recorded intent or for a new one.
   *
   * @return the result if no run was drawn
   */
  private Optional<RefillResult> draw(FeedLook look) throws SQLException {
    if (look.intent().isEmpty()) {
      intend(look);
      return Optional.empty();
    }
    String client = look.intent().get();
    ClaimResult result =
        pool.claim(ClaimRequest.of(client).withOwner(look.database() + "/" + sequence));
    if (result instanceof ClaimResult.Granted granted) {
      record(look, granted.claim());
      return Optional.empty();
    }
    if (result instanceof ClaimResult.AlreadyHeld held) {
      record(look, held.claim());
      return Optional.empty();
    }
    if (result instanceof ClaimResult.Exhausted none) {
      return Optional.of(
          new RefillResult.Exhausted(sequence, pool.name(), look.remaining(), none.retryAfter()));
    }
    if (result instanceof ClaimResult.Contended) {
      throw new PoolUnavailableException(
          "pool %s: other claims were in progress: %s".formatted(Quoted.of(pool.name()), result));
    }
    if (result instanceof ClaimResult.Stopped) {
      throw new PoolUnavailableException(
          "pool %s: stopped after a failover, until it is resumed: no run is granted"
              .formatted(Quoted.of(pool.name())));
    }
    throw cannot("the pool answered " + result);
  }

  private void intend(FeedLook look) throws SQLException {
    String client = sequence + "/" + UUID.randomUUID();
    inTransaction(
        statements ->
            statements.update(
                INTEND,
                bind("sequence", sequence),
                bind("pool", pool.name()),
                bind("here", look.here()),
                bind("timeline", look.hereTimeline().orElse(null)),
                bind("client", client)));
  }

  private void record(FeedLook look, Claim claim) throws SQLException {
    NumberRange run = NumberRange.parse(claim.value());
    if (claim.expiresAt().isPresent()) {
      giveBack(claim);
      throw cannot("the pool has been given a lease, so that runs would come back");
    }
    if (look.wasInUseTo(run.first())) {
      giveBack(claim);
      throw inUse(look, run);
    }
    boolean isRefused =
        inTransaction(
            statements -> {
              // Instances that record the same run do so one after the other.
              statements.query(LOCK, row -> 0, bind("sequence", sequence));
              boolean isWrong =
                  statements
                      .query(
                          RECORD,
                          row -> row.getBoolean("intended") && !row.getBoolean("recorded"),
                          bind("sequence", sequence),
                          bind("client", claim.client()),
                          bind("first", run.first()),
                          bind("last", run.last()))
                      .get(0);
              settle(statements, claim.client());
              return isWrong;
            });
    if (isRefused) {
      throw cannot(
          "the pool gave it %s, of which it has had numbers before; they stay unused"
              .formatted(run));
    }
  }

  private void giveBack(Claim claim) throws SQLException {
    pool.release(claim.value(), claim.token());
    inTransaction(statements -> settle(statements, claim.client()));
  }

  private int settle(Statements statements, String client) throws SQLException {
    return statements.update(SETTLE, bind("sequence", sequence), bind("client", client));
  }

  /**
   * Moves the sequence to the run that was drawn, unless another instance has.
   *
   * @return empty if there is no such run any more
   */
  private Optional<RefillResult> move(boolean fresh) throws SQLException {
    for (int tries = 1; ; tries++) {
      try {
        return inTransaction(
            statements ->
                LockTimeout.within(LOCK_TIMEOUT, statements, limited -> moveOnce(limited, fresh)));
      } catch (SQLException e) {
        if (!LockTimeout.is(e)) {
          throw e;
        }
      }
      if (tries == MOVES_MAX) {
        FeedLook look = look();
        return look.waiting()
            .map(run -> new RefillResult.WaitingForLock(sequence, run, look.remaining()));
      }
      long pause = PAUSE_MILLIS << (tries - 1);
      LockSupport.parkNanos(
          Duration.ofMillis(ThreadLocalRandom.current().nextLong(pause / 2, pause + 1)).toNanos());
    }
  }

  private Optional<RefillResult> moveOnce(Statements statements, boolean fresh)
      throws SQLException {
    statements.query(LOCK, row -> 0, bind("sequence", sequence));
    // Locks it, and changes nothing: it does not move from here on.
    statements.execute("alter sequence " + SqlName.quotedTable(sequence) + " no cycle");
    FeedLook look = look(statements);
    check(look, fresh);
    if (look.waiting().isEmpty() || look.isOnAnotherTimeline()) {
      return Optional.empty();
    }
    boolean leavesRun = leavesRun(look, fresh);
    if (!leavesRun && !wantsRun(look)) {
      return Optional.of(new RefillResult.Sufficient(sequence, look.remaining()));
    }
    NumberRange run = look.waiting().get();
    if (look.wasInUseTo(run.first())) {
      // The sequence has passed the beginning of the run meanwhile.
      statements.update(FORGET, bind("sequence", sequence));
      return Optional.empty();
    }
    boolean goesOn =
        !leavesRun && look.bounds().filter(bounds -> bounds.last() + 1 == run.first()).isPresent();
    long first = goesOn ? look.min() : run.first();
    statements.execute(alteration(run, goesOn));
    statements.update(
        MOVED,
        bind("sequence", sequence),
        bind("here", look.here()),
        bind("first", run.first()),
        bind("last", run.last()),
        bind("bound_first", first));
    long skipped = goesOn || look.bounds().isEmpty() ? 0 : look.remaining();
    long remaining = goesOn ? look.remaining() + run.size() : run.size();
    return Optional.of(new RefillResult.Moved(sequence, run, skipped, remaining));
  }

  private String alteration(NumberRange run, boolean goesOn) {
    String alter = "alter sequence " + SqlName.quotedTable(sequence);
    return goesOn
        ? "%s maxvalue %s".formatted(alter, run.last())
        : "%s minvalue %s maxvalue %s start with %s restart with %s"
            .formatted(alter, run.first(), run.last(), run.first(), run.first());
  }

  private IllegalStateException inUse(FeedLook look, NumberRange run) {
    return cannot(
        "it has given numbers up to %s, and the pool's next run is %s; let the blocks of the pool begin above every number that is in use in any database"
            .formatted(look.last(), run));
  }

  private IllegalStateException cannot(String why) {
    return cannot(why, null);
  }

  private IllegalStateException cannot(String why, @Nullable Exception cause) {
    return new IllegalStateException(
        "sequence %s cannot be fed from pool %s: %s"
            .formatted(Quoted.of(sequence), Quoted.of(pool.name()), why),
        cause);
  }

  @Override
  public String toString() {
    return "sequence " + Quoted.of(sequence) + " fed from " + pool;
  }
}
