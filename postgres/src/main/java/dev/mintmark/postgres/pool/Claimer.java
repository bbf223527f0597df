package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Entropy;
import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.pool.ClaimAttempt.Answer;
import dev.mintmark.postgres.pool.ClaimAttempt.Found;
import dev.mintmark.postgres.pool.ClaimAttempt.Outcome;
import dev.mintmark.postgres.pool.ClaimAttempt.Slot;
import dev.mintmark.postgres.pool.ClaimAttempt.SlotRequest;
import dev.mintmark.postgres.pool.ClaimRequest.Subject;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.Quota;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Answers claims that name no value: many claims for one value each in one statement, or a claim
 * for several values. Safe for use by many threads.
 */
final class Claimer {
  /**
   * How long a claim waits for rows that other sessions have locked: the row of its owner, or the
   * free values.
   */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final SqlFile CLAIM = SqlFile.load(Claimer.class, "claim");
  private static final SqlFile RECLAIM = SqlFile.load(Claimer.class, "reclaim");

  /** How often a batch that does not wait is sent if all free values are locked: 28 ms at most. */
  private static final int QUICK_ROUNDS_MAX = 4;

  private final PoolContext context;
  private final PoolDatabase database;
  private final BlockDraw blockDraw;
  private final PoolProbe probe;
  private final OwnerQuotas quotas;
  private final ClientHomes homes;

  Claimer(PoolContext context, BlockDraw blockDraw, PoolProbe probe, OwnerQuotas quotas) {
    this.context = context;
    this.database = context.prompt();
    this.blockDraw = blockDraw;
    this.probe = probe;
    this.quotas = quotas;
    this.homes = new ClientHomes(context);
  }

  /**
   * Runs the statements once without a request: the first run on a connection takes the server ten
   * times as long.
   */
  void warmUp() {
    ClaimAttempt unused =
        database.single(
            statements -> attempt(List.of(), context.spec(), context.fence().known(), statements));
  }

  /**
   * Answers requests for one value each, of which no two are for the same subject, without waiting
   * for other sessions. A request without a result met rows that another session has locked: see
   * {@link #await}.
   */
  Map<Subject, ClaimResult> claim(List<ClaimRequest> requests) {
    return claim(requests, false);
  }

  /**
   * Answers requests of which no two are for the same subject: requests for one value each, or one
   * request for several. Waits up to {@link #PATIENCE} for rows that other sessions have locked.
   * Every request has a result.
   */
  Map<Subject, ClaimResult> await(List<ClaimRequest> requests) {
    return claim(requests, true);
  }

  private Map<Subject, ClaimResult> claim(List<ClaimRequest> requests, boolean waits) {
    Map<Subject, ClaimResult> results = new HashMap<>();
    PoolSpec spec = context.freshSpec();
    List<ClaimRequest> open = new ArrayList<>();
    for (ClaimRequest request : requests) {
      Optional<ClaimResult> notOpen = context.notOpen(request); // The gate may be a new one.
      if (notOpen.isPresent()) {
        results.put(request.subject(), notOpen.get());
      } else if (request.slot() + request.count() > spec.perClient()) {
        results.put(
            request.subject(),
            new QuotaReached(context.name(), Quota.CLIENT, request.client(), spec.perClient()));
      } else {
        open.add(request);
      }
    }
    if (!open.isEmpty()) {
      open.stream()
          .flatMap(request -> request.lease().stream())
          .max(Comparator.naturalOrder())
          .ifPresent(context::announceLease);
      claim(open, waits, results);
    }
    return results;
  }

  private void claim(
      List<ClaimRequest> requests, boolean waits, Map<Subject, ClaimResult> results) {
    Backoff backoff = new Backoff();
    List<ClaimRequest> open = requests;
    while (true) {
      boolean isLate = backoff.elapsed().compareTo(PATIENCE) >= 0;
      Fence.Known known = context.fence().known();
      Optional<ClaimAttempt> sent = send(open, waits, known);
      if (sent.isEmpty()) {
        open.forEach(request -> results.put(request.subject(), context.contended(request)));
        return;
      }
      ClaimAttempt attempt = sent.get();
      results.putAll(attempt.refused);
      List<Found> believed = attempt.found.stream().filter(one -> one.isBelieved(known)).toList();
      believed.forEach(found -> results.put(found.request().subject(), result(found)));
      attempt.stopped.forEach(
          subject -> results.put(subject, new ClaimResult.Stopped(context.name())));
      results.putAll(homes.of(open, attempt.sliced));
      open = withoutResult(open, attempt, waits, results);
      if (open.isEmpty()) {
        return;
      }
      if (attempt.fenced) {
        context.passFence();
      }
      if (attempt.ended) {
        context.sweep().run();
      }
      if (attempt.withdraws) {
        context.sweep().withdraw();
      }
      quotas.add(attempt.unknownOwners);
      if (!attempt.unknownOwners.isEmpty() && backoff.pauses() > 0) {
        // An owner of a deleted pool gets no row.
        probe.checkKnown();
      }
      if (attempt.missing > 0 && blockDraw.draw(ClaimQueue.BATCH_MAX) && !isLate) {
        continue;
      }
      boolean isOver = believed.size() < attempt.found.size();
      if (attempt.missing > 0 && !attempt.ended && !isOver) {
        Optional<ClaimResult.Exhausted> exhausted = probe.findExhausted(attempt.missing);
        if (exhausted.isPresent()) {
          open.stream()
              .filter(request -> !attempt.contended.contains(request.subject()))
              .forEach(request -> results.put(request.subject(), exhausted.get()));
          open = open.stream().filter(one -> !results.containsKey(one.subject())).toList();
          if (open.isEmpty()) {
            return;
          }
        }
      }
      if (waits && backoff.elapsed().compareTo(PATIENCE) >= 0) {
        open.forEach(request -> results.put(request.subject(), context.contended(request)));
        return;
      }
      if (!waits && (isLate || backoff.pauses() == QUICK_ROUNDS_MAX - 1)) {
        return;
      }
      backoff.pause();
    }
  }

  /** The requests to send again; a batch that does not wait leaves contended ones to another. */
  private static List<ClaimRequest> withoutResult(
      List<ClaimRequest> requests,
      ClaimAttempt attempt,
      boolean waits,
      Map<Subject, ClaimResult> results) {
    return requests.stream()
        .filter(request -> !results.containsKey(request.subject()))
        .filter(request -> waits || !attempt.contended.contains(request.subject()))
        .toList();
  }

  /**
   * Sends the requests once, in a transaction if several statements are needed. Empty if it waited
   * for a lock in vain.
   */
  private Optional<ClaimAttempt> send(
      List<ClaimRequest> requests, boolean waits, Fence.Known known) {
    PoolSpec spec = context.spec();
    boolean counted = spec.perOwner().isPresent();
    boolean several = requests.stream().anyMatch(request -> request.count() > 1);
    if (!counted && !several && !waits) {
      return Optional.of(database.single(statements -> attempt(requests, spec, known, statements)));
    }
    return database.transaction(
        waits ? Optional.of(PATIENCE) : Optional.empty(),
        statements -> {
          if (!counted) {
            return attempt(requests, spec, known, statements);
          }
          ClaimAttempt counting = new ClaimAttempt();
          List<ClaimRequest> within = quotas.within(requests, spec, statements, counting, waits);
          return within.isEmpty()
              ? counting
              : counting.with(attempt(within, spec, known, statements));
        },
        attempt -> !attempt.undone);
  }

  private ClaimAttempt attempt(
      List<ClaimRequest> requests, PoolSpec spec, Fence.Known known, Statements statements)
      throws SQLException {
    Map<Slot, Answer> answers = new HashMap<>();
    List<SlotRequest> slots = requests.stream().flatMap(ClaimAttempt::slotsOf).toList();
    claim(slots, spec.sticky(), known, statements, answers);
    List<SlotRequest> returning = answeredBy(Outcome.LAST, slots, answers);
    if (!returning.isEmpty()) {
      query(RECLAIM, binds(returning, known), statements, answers);
      List<SlotRequest> others = answeredBy(Outcome.LAST, slots, answers);
      others.forEach(other -> answers.remove(other.slot()));
      if (!others.isEmpty()) {
        claim(others, false, known, statements, answers);
      }
    }
    return ClaimAttempt.of(requests, answers);
  }

  private void claim(
      List<SlotRequest> slots,
      boolean sticky,
      Fence.Known known,
      Statements statements,
      Map<Slot, Answer> answers)
      throws SQLException {
    Place start = searchStart();
    List<Bind> binds = new ArrayList<>(binds(slots, known));
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
        .query(statement, Answer::read, binds.toArray(Bind[]::new))
        .forEach(answer -> answers.put(answer.slot(), answer));
  }

  private static List<SlotRequest> answeredBy(
      Outcome outcome, List<SlotRequest> slots, Map<Slot, Answer> answers) {
    return slots.stream()
        .filter(
            slot -> {
              Answer answer = answers.get(slot.slot());
              return answer != null && answer.outcome() == outcome;
            })
        .toList();
  }

  /** Must be called outside of a transaction: it may read the blocks of the pool again. */
  private ClaimResult result(Found found) {
    List<Claim> claims = found.rows().stream().map(context::toClaim).toList();
    return found.granted() ? new Granted(claims) : new AlreadyHeld(claims);
  }

  private List<Bind> binds(List<SlotRequest> slots, Fence.Known known) {
    List<Bind> binds = new ArrayList<>(known.binds());
    binds.addAll(ofSlots(slots));
    return binds;
  }

  private List<Bind> ofSlots(List<SlotRequest> slots) {
    return List.of(
        context.poolId(),
        bind("clients", ClaimAttempt.clients(slots)),
        bind("slots", ClaimAttempt.numbers(slots)),
        bind(
            "owners",
            slots.stream()
                .map(one -> ClaimAttempt.ownerOrNull(one.request()))
                .toArray(String[]::new)),
        bind(
            "lease_millis",
            slots.stream()
                .map(one -> ClaimAttempt.leaseOrNull(one.request()))
                .toArray(Long[]::new)));
  }
}
