package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Entropy;
import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.pool.ClaimRequest.Subject;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.Quota;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers claims: all claims for any one value in one statement, the other claims one by one. Used
 * by one thread at a time.
 */
final class Claimer {
  private static final SqlFile CLAIM = SqlFile.load(Claimer.class, "claim");
  private static final SqlFile RECLAIM = SqlFile.load(Claimer.class, "reclaim");
  private static final SqlFile ADD_OWNERS = SqlFile.load(Claimer.class, "add_owners");
  private static final SqlFile LOCK_OWNERS = SqlFile.load(Claimer.class, "lock_owners");
  private static final SqlFile COUNT_OWNERS = SqlFile.load(Claimer.class, "count_owners");
  private static final SqlFile HELD_SLOTS = SqlFile.load(Claimer.class, "held_slots");
  private static final SqlFile VALUE_STATE = SqlFile.load(Claimer.class, "value_state");
  private static final SqlFile CLAIM_VALUE = SqlFile.load(Claimer.class, "claim_value");

  /**
   * How often claims without an answer are sent: values were free but locked by other claims, or
   * other claims for the same clients or owners were in progress. Each round waits twice as long as
   * the round before (backoff), 252 ms in all.
   */
  private static final int ROUNDS_MAX = 6;

  /**
   * The same for a request for several values, 28 ms in all: usually fewer values are free, rather
   * than locked.
   */
  private static final int ROUNDS_MAX_SEVERAL = 3;

  private static final long FIRST_PAUSE_MILLIS = 4;

  private final PoolContext context;
  private final PoolDatabase database;
  private final BlockDraw blockDraw;
  private final PoolProbe probe;

  Claimer(PoolContext context, BlockDraw blockDraw, PoolProbe probe) {
    this.context = context;
    this.database = context.database();
    this.blockDraw = blockDraw;
    this.probe = probe;
  }

  /**
   * Runs the statements once without a request: the first run on a connection takes the server ten
   * times as long.
   */
  void warmUp() {
    Attempt unused = database.single(statements -> attempt(List.of(), context.spec(), statements));
  }

  /** Answers requests of which no two are for the same subject. */
  Map<Subject, ClaimResult> claim(List<ClaimRequest> requests) {
    Map<Subject, ClaimResult> results = new HashMap<>();
    PoolSpec spec = context.freshSpec();
    List<ClaimRequest> plain = new ArrayList<>();
    List<ClaimRequest> others = new ArrayList<>();
    for (ClaimRequest request : requests) {
      if (request.slot() + request.count() > spec.perClient()) {
        results.put(
            request.subject(),
            new QuotaReached(context.name(), Quota.CLIENT, request.client(), spec.perClient()));
      } else {
        (request.isPlain() ? plain : others).add(request);
      }
    }
    if (!plain.isEmpty()) {
      claimTogether(plain, results);
    }
    for (ClaimRequest request : others) {
      if (request.value().isPresent()) {
        results.put(request.subject(), claimByName(request, request.value().get()));
      } else {
        claimTogether(List.of(request), results);
      }
    }
    return results;
  }

  /** The outcome for a slot; the names are those of claim.sql. */
  private enum Outcome {
    GRANTED,
    HELD,
    ENDED,
    LAST,
    CONTENDED,
    DRAINED,
  }

  /** Outcomes without a claim. */
  private static final Set<Outcome> NO_CLAIM =
      EnumSet.of(Outcome.LAST, Outcome.CONTENDED, Outcome.DRAINED);

  private record Slot(String client, int number) {}

  private record Answer(Slot slot, Outcome outcome, Optional<ClaimRow> claim) {}

  /** The claims that answer a request, some of which may be new. */
  private record Found(ClaimRequest request, List<ClaimRow> rows, boolean granted) {}

  /** The result of one attempt: answers, and what to do before the next attempt. */
  private static final class Attempt {
    final Map<Subject, ClaimResult> refused = new HashMap<>();
    final List<Found> found = new ArrayList<>();
    final Set<String> unknownOwners = new HashSet<>();
    boolean ended;
    boolean inVain;
    boolean drained;

    /** The transaction is rolled back: not all values of a request were free. */
    boolean undone;

    /** Adds the result of the statements that followed. */
    Attempt with(Attempt then) {
      refused.putAll(then.refused);
      found.addAll(then.found);
      ended |= then.ended;
      inVain |= then.inVain;
      drained |= then.drained;
      undone |= then.undone;
      return this;
    }
  }

  private void claimTogether(List<ClaimRequest> requests, Map<Subject, ClaimResult> results) {
    boolean several = requests.stream().anyMatch(request -> request.count() > 1);
    int roundsMax = several ? ROUNDS_MAX_SEVERAL : ROUNDS_MAX;
    List<ClaimRequest> open = requests;
    int rounds = 0;
    while (true) {
      Attempt attempt = attempt(open);
      results.putAll(attempt.refused);
      attempt.found.forEach(found -> results.put(found.request.subject(), result(found)));
      open = open.stream().filter(request -> !results.containsKey(request.subject())).toList();
      if (open.isEmpty()) {
        return;
      }
      if (attempt.ended) {
        context.sweep().run();
      }
      if (attempt.drained) {
        context.sweep().withdraw();
      }
      addOwners(attempt.unknownOwners);
      if (attempt.inVain && blockDraw.draw(ClaimQueue.BATCH_MAX)) {
        continue;
      }
      if (attempt.inVain && !attempt.ended) {
        Optional<ClaimResult.Exhausted> exhausted = probe.findExhausted();
        if (exhausted.isPresent()) {
          answerInVain(open, results, exhausted.get());
          return;
        }
      }
      rounds++;
      if (rounds == roundsMax) {
        answerInVain(open, results, probe.askWhenNext());
        return;
      }
      LockSupport.parkNanos(Duration.ofMillis(FIRST_PAUSE_MILLIS << (rounds - 1)).toNanos());
    }
  }

  private static void answerInVain(
      List<ClaimRequest> open, Map<Subject, ClaimResult> results, ClaimResult.Exhausted answer) {
    open.forEach(request -> results.put(request.subject(), answer));
  }

  /** Sends the requests once, in a transaction if several statements are needed. */
  private Attempt attempt(List<ClaimRequest> requests) {
    PoolSpec spec = context.spec();
    boolean counted = spec.perOwner().isPresent();
    boolean several = requests.stream().anyMatch(request -> request.count() > 1);
    if (!counted && !several) {
      return database.single(statements -> attempt(requests, spec, statements));
    }
    return database.transaction(
        statements -> {
          if (!counted) {
            return attempt(requests, spec, statements);
          }
          Attempt counting = new Attempt();
          List<ClaimRequest> within = withinQuota(requests, spec, statements, counting);
          return within.isEmpty() ? counting : counting.with(attempt(within, spec, statements));
        },
        attempt -> !attempt.undone);
  }

  private Attempt attempt(List<ClaimRequest> requests, PoolSpec spec, Statements statements)
      throws SQLException {
    Map<Slot, Answer> answers = new HashMap<>();
    List<SlotRequest> slots = requests.stream().flatMap(Claimer::slotsOf).toList();
    claim(slots, spec.sticky(), statements, answers);
    List<SlotRequest> returning = answeredBy(Outcome.LAST, slots, answers);
    if (!returning.isEmpty()) {
      query(RECLAIM, binds(returning), statements, answers);
      List<SlotRequest> others = answeredBy(Outcome.LAST, slots, answers);
      others.forEach(other -> answers.remove(other.slot));
      if (!others.isEmpty()) {
        claim(others, false, statements, answers);
      }
    }
    return collect(requests, answers);
  }

  private void claim(
      List<SlotRequest> slots, boolean sticky, Statements statements, Map<Slot, Answer> answers)
      throws SQLException {
    Place start = searchStart();
    List<Bind> binds = new ArrayList<>(binds(slots));
    binds.add(bind("sticky", sticky));
    binds.add(bind("start_block", start.block()));
    binds.add(bind("start_place", start.place()));
    query(CLAIM, binds, statements, answers);
  }

  /** Where the search for a free value starts. It is random, so that instances seldom meet. */
  private Place searchStart() {
    return context.spec().order() == PoolSpec.Order.ASCENDING
        ? Place.NONE
        : context.layout().placeAt(Entropy.strong().nextDouble());
  }

  private static void query(
      SqlFile statement, List<Bind> binds, Statements statements, Map<Slot, Answer> answers)
      throws SQLException {
    statements
        .query(statement, Claimer::readAnswer, binds.toArray(Bind[]::new))
        .forEach(answer -> answers.put(answer.slot, answer));
  }

  private static List<SlotRequest> answeredBy(
      Outcome outcome, List<SlotRequest> slots, Map<Slot, Answer> answers) {
    return slots.stream()
        .filter(
            slot -> {
              Answer answer = answers.get(slot.slot);
              return answer != null && answer.outcome == outcome;
            })
        .toList();
  }

  /** Combines the answers for slots into results of requests. */
  private Attempt collect(List<ClaimRequest> requests, Map<Slot, Answer> answers) {
    Attempt attempt = new Attempt();
    for (ClaimRequest request : requests) {
      List<ClaimRow> rows = new ArrayList<>();
      boolean granted = false;
      for (int i = 0; i < request.count(); i++) {
        Answer answer = answers.get(new Slot(request.client(), request.slot() + i));
        if (answer == null) {
          attempt.inVain = true;
        } else if (answer.outcome == Outcome.ENDED) {
          attempt.ended = true;
        } else if (answer.outcome == Outcome.DRAINED) {
          attempt.drained = true;
        } else {
          answer.claim.ifPresent(rows::add);
          granted |= answer.outcome == Outcome.GRANTED;
        }
      }
      if (rows.size() == request.count()) {
        attempt.found.add(new Found(request, rows, granted));
      } else if (request.count() > 1) {
        attempt.undone = true;
      }
    }
    return attempt;
  }

  /** Must be called outside of a transaction: it may read the blocks of the pool again. */
  private ClaimResult result(Found found) {
    List<Claim> claims = found.rows.stream().map(context::toClaim).toList();
    return found.granted ? new Granted(claims) : new AlreadyHeld(claims);
  }

  /**
   * Returns the requests that are within the owners' quotas. Counts held values after it has locked
   * the owners' rows, so another claim for one of these owners counts later. Answers the requests
   * whose values are all held already: they take nothing from a quota, need no lock and must not
   * get another value.
   */
  private List<ClaimRequest> withinQuota(
      List<ClaimRequest> requests, PoolSpec spec, Statements statements, Attempt attempt)
      throws SQLException {
    Map<String, Boolean> locked = lockOwners(requests, statements);
    Map<String, Long> held = new HashMap<>();
    statements
        .query(
            COUNT_OWNERS,
            row -> Map.entry(row.getString("owner"), row.getLong("held")),
            context.poolId(),
            bind("owners", locked.keySet().toArray(String[]::new)))
        .forEach(count -> held.put(count.getKey(), count.getValue()));
    Map<Slot, Answer> filled = filledSlots(requests, statements);
    int quota = spec.perOwner().orElseThrow();
    List<ClaimRequest> within = new ArrayList<>();
    for (ClaimRequest request : requests) {
      String owner = ownerOf(request);
      List<Answer> answers =
          slotsOf(request)
              .flatMap(slot -> Optional.ofNullable(filled.get(slot.slot)).stream())
              .toList();
      long then = held.getOrDefault(owner, 0L) + request.count() - answers.size();
      if (answers.stream().anyMatch(answer -> answer.outcome == Outcome.ENDED)) {
        attempt.ended = true;
      } else if (answers.size() == request.count()) {
        attempt.with(collect(List.of(request), filled));
      } else if (!locked.containsKey(owner)) {
        attempt.unknownOwners.add(owner);
      } else if (locked.get(owner) && then <= quota) {
        held.put(owner, then);
        within.add(request);
      } else if (locked.get(owner)) {
        attempt.refused.put(
            request.subject(), new QuotaReached(context.name(), Quota.OWNER, owner, quota));
      }
    }
    return within;
  }

  /** The owners that have a row, each with whether the row is now locked. */
  private Map<String, Boolean> lockOwners(List<ClaimRequest> requests, Statements statements)
      throws SQLException {
    Map<String, Boolean> locked = new HashMap<>();
    statements
        .query(
            LOCK_OWNERS,
            row -> Map.entry(row.getString("owner"), row.getBoolean("locked")),
            context.poolId(),
            bind(
                "owners",
                requests.stream().map(Claimer::ownerOf).distinct().toArray(String[]::new)))
        .forEach(owner -> locked.put(owner.getKey(), owner.getValue()));
    return locked;
  }

  private void addOwners(Set<String> owners) {
    if (!owners.isEmpty()) {
      int unused =
          database.single(
              statements ->
                  statements.update(
                      ADD_OWNERS, context.poolId(), bind("owners", owners.toArray(String[]::new))));
    }
  }

  private Map<Slot, Answer> filledSlots(List<ClaimRequest> requests, Statements statements)
      throws SQLException {
    List<SlotRequest> slots = requests.stream().flatMap(Claimer::slotsOf).toList();
    Map<Slot, Answer> filled = new HashMap<>();
    statements
        .query(
            HELD_SLOTS,
            Claimer::readAnswer,
            context.poolId(),
            bind("clients", slots.stream().map(slot -> slot.slot.client).toArray(String[]::new)),
            bind("slots", slots.stream().map(slot -> slot.slot.number).toArray(Integer[]::new)))
        .forEach(answer -> filled.put(answer.slot, answer));
    return filled;
  }

  /** The state of a value before it is claimed by name. */
  private record ValueState(
      long version,
      boolean closed,
      @Nullable String holder,
      boolean ended,
      boolean free,
      boolean quarantined,
      @Nullable String lastClient,
      List<Integer> slots,
      boolean slotEnded) {}

  private ClaimResult claimByName(ClaimRequest request, String value) {
    for (int round = 1; round <= ROUNDS_MAX; round++) {
      Optional<Place> place = context.placeOf(value);
      if (place.isEmpty()) {
        break;
      }
      Optional<ClaimResult> result = tryByName(request, value, place.get());
      if (result.isPresent()) {
        return result.get();
      }
      LockSupport.parkNanos(Duration.ofMillis(FIRST_PAUSE_MILLIS << (round - 1)).toNanos());
    }
    return new ValueTaken(context.name(), value);
  }

  /** Empty if the value or its client has changed since the state was read. */
  private Optional<ClaimResult> tryByName(ClaimRequest request, String value, Place place) {
    List<ValueState> states =
        database.query(
            VALUE_STATE,
            Claimer::readState,
            context.poolId(),
            bind("block_id", place.block()),
            bind("place", place.place()),
            bind("client", request.client()));
    if (states.isEmpty()) {
      // The block was removed: the value may now be in another block.
      context.reload();
      return Optional.empty();
    }
    ClaimResult taken = new ValueTaken(context.name(), value);
    ValueState state = states.get(0);
    if (state.ended || state.slotEnded) {
      context.sweep().run();
      return Optional.empty();
    }
    if (state.holder != null) {
      return state.holder.equals(request.client())
          ? context.find(value).map(claim -> new AlreadyHeld(List.of(claim)))
          : Optional.of(taken);
    }
    if (state.closed || (state.quarantined && !request.client().equals(state.lastClient))) {
      return Optional.of(taken);
    }
    int perClient = context.spec().perClient();
    int slot =
        IntStream.range(0, perClient).filter(i -> !state.slots.contains(i)).findFirst().orElse(-1);
    if (slot < 0) {
      return Optional.of(
          new QuotaReached(context.name(), Quota.CLIENT, request.client(), perClient));
    }
    return takeByName(request, place, state, slot);
  }

  private Optional<ClaimResult> takeByName(
      ClaimRequest request, Place place, ValueState state, int slot) {
    PoolSpec spec = context.spec();
    ClaimRequest inSlot =
        ClaimRequest.of(request.client()).withOwner(request.owner()).withSlot(slot);
    Attempt counting = new Attempt();
    List<ClaimRow> taken =
        database.transactionUnlessTaken(
            statements -> {
              boolean within =
                  spec.perOwner().isEmpty()
                      || !withinQuota(List.of(inSlot), spec, statements, counting).isEmpty();
              return within ? claimValue(request, place, state, slot, statements) : List.of();
            });
    addOwners(counting.unknownOwners);
    return counting.refused.values().stream()
        .findFirst()
        .or(
            () ->
                taken.stream().findFirst().map(row -> new Granted(List.of(context.toClaim(row)))));
  }

  private List<ClaimRow> claimValue(
      ClaimRequest request, Place place, ValueState state, int slot, Statements statements)
      throws SQLException {
    return statements.query(
        CLAIM_VALUE,
        ClaimRow::read,
        context.poolId(),
        bind("block_id", place.block()),
        bind("place", place.place()),
        bind("version", state.version),
        bind("client", request.client()),
        bind("slot", slot),
        bind("owner", ownerOrNull(request)),
        bind("lease_millis", leaseOrNull(request)));
  }

  private record SlotRequest(Slot slot, ClaimRequest request) {}

  private static Stream<SlotRequest> slotsOf(ClaimRequest request) {
    return IntStream.range(request.slot(), request.slot() + request.count())
        .mapToObj(slot -> new SlotRequest(new Slot(request.client(), slot), request));
  }

  private List<Bind> binds(List<SlotRequest> slots) {
    return List.of(
        context.poolId(),
        bind("clients", slots.stream().map(one -> one.slot.client).toArray(String[]::new)),
        bind("slots", slots.stream().map(one -> one.slot.number).toArray(Integer[]::new)),
        bind("owners", slots.stream().map(one -> ownerOrNull(one.request)).toArray(String[]::new)),
        bind(
            "lease_millis",
            slots.stream().map(one -> leaseOrNull(one.request)).toArray(Long[]::new)));
  }

  private static Answer readAnswer(ResultSet row) throws SQLException {
    Outcome outcome = Outcome.valueOf(row.getString("outcome").toUpperCase(Locale.ROOT));
    return new Answer(
        new Slot(row.getString("client"), row.getInt("slot")),
        outcome,
        NO_CLAIM.contains(outcome) ? Optional.empty() : Optional.of(ClaimRow.read(row)));
  }

  private static ValueState readState(ResultSet row) throws SQLException {
    return new ValueState(
        row.getLong("version"),
        row.getBoolean("closed"),
        row.getString("holder"),
        row.getBoolean("ended"),
        row.getBoolean("free"),
        row.getBoolean("quarantined"),
        row.getString("last_client"),
        Arrays.asList((Integer[]) row.getArray("slots").getArray()),
        row.getBoolean("slot_ended"));
  }

  /** The owner; {@link Pool#claimAsync} requires it if the pool limits owners. */
  private static String ownerOf(ClaimRequest request) {
    return request.owner().orElse("");
  }

  private static @Nullable String ownerOrNull(ClaimRequest request) {
    return request.owner().orElse(null);
  }

  private static @Nullable Long leaseOrNull(ClaimRequest request) {
    return request.lease().map(Duration::toMillis).orElse(null);
  }
}
