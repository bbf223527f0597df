package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Entropy;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.pool.ClaimAttempt.Slot;
import dev.mintmark.postgres.pool.Fence.Known;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The statements of the slice of an instance, one after another. They name the epoch in which the
 * slice began: when the database has begun another one, which may not know what was granted before,
 * they find the fence closed, also after this instance knows the new epoch. Safe for use by many
 * threads.
 */
final class SliceStore {
  private static final SqlFile LOCK = load("slice_lock");
  private static final SqlFile END_OTHERS = load("slice_end_others");
  private static final SqlFile BEGIN = load("slice_begin");
  private static final SqlFile WRITERS = load("slice_writers");
  private static final SqlFile RENEW = load("slice_renew");
  private static final SqlFile TAKE = load("slice_take");
  private static final SqlFile VALUES = load("slice_values");
  private static final SqlFile JOURNAL = load("slice_journal");
  private static final SqlFile GIVE_BACK = load("slice_give_back");
  private static final SqlFile CLOSE = load("slice_close");
  private static final SqlFile TAKE_BUCKETS = load("slice_take_buckets");
  private static final SqlFile GIVE_BUCKETS = load("slice_give_buckets");
  private static final SqlFile LOAD_BUCKETS = load("slice_load_buckets");
  private static final SqlFile HOMES = load("slice_homes");
  private static final SqlFile LOOK = load("slice_look");
  private static final SqlFile LACK = load("slice_lack");
  private static final SqlFile UNRECORDED = load("slice_unrecorded");
  private static final SqlFile WITHDRAWN = load("slice_withdrawn");
  private static final SqlFile TRUSTED = load("slice_trusted");
  private static final SqlFile HELD_SLOTS = load("held_slots");

  /** How long values that are not handed out any more are waited for. */
  private static final Duration WITHDRAWN_PATIENCE = Duration.ofSeconds(30);

  private static final Duration WITHDRAWN_LOOK = Duration.ofMillis(50);

  private final PoolContext context;
  private final PoolDatabase database;

  /** What was known of the epoch in which the slice began, when this last asked. */
  private volatile Known begun;

  SliceStore(PoolContext context) {
    this.context = context;
    this.database = context.prompt();
    this.begun = context.fence().known();
  }

  private static SqlFile load(String name) {
    return SqlFile.load(SliceStore.class, name);
  }

  /**
   * The answer to the request for a slice.
   *
   * @param state of the fence
   * @param id of the slice, unless the fence is closed
   */
  record Begun(String state, @Nullable Long id, Instant at) {}

  /**
   * The answer to a renewal.
   *
   * @param held how many values are in the slice
   */
  record Renewal(Instant at, long held) {}

  /** A value in a slice, with the token with which it is granted. */
  record Value(Place place, long token, Optional<Instant> previousEnd) {
    static Value read(ResultSet row) throws SQLException {
      return new Value(
          new Place(row.getInt("block_id"), row.getLong("place")),
          row.getLong("token"),
          ClaimRow.instant(row, "previous_end"));
    }
  }

  /** What slice_look.sql returns. */
  record Look(boolean inForce, int slices, long lacking, Set<Long> withdrawn) {
    /** The buckets of one slice. */
    int share() {
      return (ClientBuckets.COUNT + slices - 1) / Math.max(1, slices);
    }
  }

  /** What a slot holds by the database. */
  record HeldSlot(ClaimRow row, boolean ended) {}

  /** Begins a slice, in the epoch that this instance knows. */
  Begun begin(String instance, Duration length) {
    begun = context.fence().known();
    return database.transactionWithoutRepeat(
        statements -> {
          statements.query(LOCK, row -> "", context.poolId());
          statements.update(END_OTHERS, context.poolId());
          return statements
              .query(
                  BEGIN,
                  row ->
                      new Begun(
                          row.getString("state"),
                          row.getObject("slice_id", Long.class),
                          ClaimRow.instant(row, "at").orElseThrow()),
                  fenced(bind("instance", instance), bind("length_millis", length.toMillis())))
              .get(0);
        },
        done -> true);
  }

  /** Lists the transactions that change claims. */
  Set<String> writers() {
    return new HashSet<>(database.query(WRITERS, row -> row.getString("virtualtransaction")));
  }

  Optional<Renewal> renew(long slice, Duration length, long lacking) {
    return database
        .query(
            RENEW,
            row -> new Renewal(ClaimRow.instant(row, "at").orElseThrow(), row.getLong("held")),
            fenced(
                bind("slice_id", slice),
                bind("length_millis", length.toMillis()),
                bind("lacking", lacking)))
        .stream()
        .findFirst();
  }

  /**
   * Takes values that are free and have a row.
   *
   * @param holder a name that was never used before
   * @throws PoolUnavailableException if the database failed, or has begun another epoch meanwhile
   */
  List<Value> take(long slice, String holder, Duration length, int wanted) {
    Place start =
        context.spec().order() == PoolSpec.Order.ASCENDING
            ? Place.NONE
            : context.layout().placeAt(Entropy.strong().nextDouble());
    Known epoch = epoch();
    List<Value> taken =
        database.queryWithoutRepeat(
            TAKE,
            Value::read,
            fenced(
                epoch,
                bind("slice_id", slice),
                bind("holder", holder),
                bind("length_millis", length.toMillis()),
                bind("wanted", wanted),
                bind("start_block", start.block()),
                bind("start_place", start.place())));
    return believed(taken, epoch);
  }

  /**
   * Lists the values in a slice.
   *
   * @throws PoolUnavailableException as {@link #take}
   */
  List<Value> values(long slice) {
    Known epoch = epoch();
    return believed(
        database.query(VALUES, Value::read, fenced(epoch, bind("slice_id", slice))), epoch);
  }

  private List<Value> believed(List<Value> values, Known epoch) {
    if (!values.stream().allMatch(value -> epoch.saw(value.token()))) {
      throw new PoolUnavailableException(
          "pool %s: the database has begun another epoch: the values of its slice are looked up again"
              .formatted(Quoted.of(context.name())));
    }
    return values;
  }

  /**
   * Records grants, after the longest of their leases is known to all instances. Returns the end of
   * each that is recorded, by its token; none if the database has begun another epoch meanwhile.
   *
   * @throws PoolUnavailableException if the database failed, or a client has another value in its
   *     slot
   */
  Map<Long, Instant> journal(long slice, List<SliceGrant> grants) {
    grants.stream()
        .map(SliceGrant::lease)
        .max(Comparator.naturalOrder())
        .ifPresent(context::announceLease);
    Map<Long, Instant> recorded = new HashMap<>();
    Known epoch = epoch();
    database
        .query(
            JOURNAL,
            row ->
                Map.entry(row.getLong("token"), ClaimRow.instant(row, "expires_at").orElseThrow()),
            fenced(
                epoch,
                bind("slice_id", slice),
                bind("block_ids", ints(grants, grant -> grant.value().place().block())),
                bind("places", longs(grants, grant -> grant.value().place().place())),
                bind("tokens", longs(grants, grant -> grant.value().token())),
                bind("clients", texts(grants, grant -> grant.slot().client())),
                bind("slots", ints(grants, grant -> grant.slot().number())),
                bind("owners", texts(grants, grant -> grant.owner().orElse(null))),
                bind("claimed_at", texts(grants, grant -> text(grant.claimedAt()))),
                bind(
                    "expires_at",
                    texts(grants, grant -> grant.expiresAt().map(SliceStore::text).orElse(null))),
                bind("lease_millis", longs(grants, grant -> grant.lease().toMillis()))))
        .forEach(one -> recorded.put(one.getKey(), one.getValue()));
    return recorded.keySet().stream().allMatch(epoch::saw) ? recorded : Map.of();
  }

  private static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.MICROS).toString();
  }

  private static Integer[] ints(List<SliceGrant> grants, ToIntFunction<SliceGrant> of) {
    return grants.stream().mapToInt(of).boxed().toArray(Integer[]::new);
  }

  private static Long[] longs(List<SliceGrant> grants, ToLongFunction<SliceGrant> of) {
    return grants.stream().mapToLong(of).boxed().toArray(Long[]::new);
  }

  private static @Nullable String[] texts(
      List<SliceGrant> grants, Function<SliceGrant, @Nullable String> of) {
    return grants.stream().map(of).toArray(String[]::new);
  }

  /** Gives values back that were not granted. Returns whether the pool had no free value before. */
  boolean giveBack(long slice, Collection<Long> tokens) {
    return database
        .query(
            GIVE_BACK,
            row -> row.getBoolean("woke"),
            context.poolId(),
            bind("slice_id", slice),
            bind("tokens", tokens.toArray(Long[]::new)))
        .get(0);
  }

  void close(long slice) {
    int unused =
        database.single(statements -> statements.update(CLOSE, fenced(bind("slice_id", slice))));
  }

  /**
   * The slice goes on in the present epoch of the database, if its pool trusts the failovers since
   * it began.
   */
  void enterEpochIfTrusted() {
    Known present = context.fence().known();
    boolean trusted =
        database
            .query(TRUSTED, row -> row.getBoolean("trusted"), context.poolId(), begun.epochBind())
            .contains(true);
    if (trusted) {
      begun = present;
    }
  }

  /** Takes buckets that no slice in force has, up to the share of one. */
  List<Integer> takeBuckets(long slice) {
    return database.transactionWithoutRepeat(
        statements -> {
          statements.query(LOCK, row -> "", context.poolId());
          statements.update(END_OTHERS, context.poolId());
          return statements.query(
              TAKE_BUCKETS, row -> row.getInt("bucket"), fenced(bind("slice_id", slice)));
        },
        done -> true);
  }

  void giveBuckets(long slice, Collection<Integer> buckets) {
    int unused =
        database.single(
            statements ->
                statements.update(
                    GIVE_BUCKETS,
                    fenced(
                        bind("slice_id", slice),
                        bind("buckets", buckets.toArray(Integer[]::new)))));
  }

  /** Lists the slots that may hold a value, of the clients of buckets. Reads all claims. */
  Map<Integer, Set<Slot>> loadBuckets(Collection<Integer> buckets) {
    Map<Integer, Set<Slot>> loaded = new HashMap<>();
    context
        .database()
        .query(
            LOAD_BUCKETS,
            row ->
                Map.entry(
                    row.getInt("bucket"), new Slot(row.getString("client"), row.getInt("slot"))),
            context.poolId(),
            bind("buckets", buckets.toArray(Integer[]::new)))
        .forEach(
            one ->
                loaded
                    .computeIfAbsent(one.getKey(), ignored -> new HashSet<>())
                    .add(one.getValue()));
    return loaded;
  }

  /** The slice that has a bucket, and its instance. */
  record Home(long slice, String instance) {}

  /** Finds the slices in force that have buckets. */
  static Map<Integer, Home> homes(PoolContext context, Collection<Integer> buckets) {
    Map<Integer, Home> homes = new HashMap<>();
    context
        .prompt()
        .query(
            HOMES,
            row ->
                Map.entry(
                    row.getInt("bucket"),
                    new Home(row.getLong("slice_id"), row.getString("instance"))),
            context.poolId(),
            bind("buckets", buckets.toArray(Integer[]::new)))
        .forEach(one -> homes.put(one.getKey(), one.getValue()));
    return homes;
  }

  /** Returns what slots hold. */
  Map<Slot, HeldSlot> held(List<Slot> slots) {
    Map<Slot, HeldSlot> held = new HashMap<>();
    database
        .query(
            HELD_SLOTS,
            row -> new HeldSlot(ClaimRow.read(row), row.getString("outcome").equals("ended")),
            context.poolId(),
            bind("clients", slots.stream().map(Slot::client).toArray(String[]::new)),
            bind("slots", slots.stream().map(Slot::number).toArray(Integer[]::new)))
        .forEach(one -> held.put(new Slot(one.row.client(), one.row.slot()), one));
    return held;
  }

  Look look(long slice) {
    return database
        .query(
            LOOK,
            row ->
                new Look(
                    row.getBoolean("in_force"),
                    row.getInt("slices"),
                    row.getLong("lacking"),
                    new HashSet<>(Arrays.asList((Long[]) row.getArray("withdrawn").getArray()))),
            fenced(bind("slice_id", slice)))
        .get(0);
  }

  void lack(long slice, long lacking) {
    int unused =
        database.single(
            statements ->
                statements.update(LACK, fenced(bind("slice_id", slice), bind("lacking", lacking))));
  }

  /** The instance that has a value in its slice with a token, if there is one. */
  static Optional<String> unrecorded(PoolContext context, Place place, long token) {
    return context
        .prompt()
        .query(
            UNRECORDED,
            row -> row.getString("instance"),
            context.poolId(),
            bind("block_id", place.block()),
            bind("place", place.place()),
            bind("token", token))
        .stream()
        .findFirst();
  }

  /**
   * Waits until no slice has a value that is not handed out any more: instances give such values
   * back within {@link SliceWorker#LOOK_EVERY}.
   *
   * @throws PoolUnavailableException if an instance does not do so for long
   */
  static void awaitWithdrawn(PoolContext context) {
    long began = System.nanoTime();
    long left;
    while ((left = withdrawn(context)) > 0) {
      if (System.nanoTime() - began > WITHDRAWN_PATIENCE.toNanos()) {
        throw new PoolUnavailableException(
            "pool %s: instances have values in their slices that are drained or excluded (values=%s): they may still grant them until their slices end"
                .formatted(Quoted.of(context.name()), left));
      }
      LockSupport.parkNanos(WITHDRAWN_LOOK.toNanos());
    }
  }

  private static long withdrawn(PoolContext context) {
    return context.prompt().query(WITHDRAWN, row -> row.getLong("values"), context.poolId()).get(0);
  }

  /** The epoch of the slice, with the tokens that were seen in it. */
  private Known epoch() {
    Known present = context.fence().known();
    if (present.isOfEpochOf(begun)) {
      begun = present;
    }
    return begun;
  }

  private Bind[] fenced(Bind... others) {
    return fenced(epoch(), others);
  }

  private Bind[] fenced(Known epoch, Bind... others) {
    List<Bind> binds = new ArrayList<>(epoch.binds());
    binds.add(context.poolId());
    binds.addAll(List.of(others));
    return binds.toArray(Bind[]::new);
  }
}
