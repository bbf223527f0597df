package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Entropy;
import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.internal.LockTimeout;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.internal.Transactions.Work;
import dev.mintmark.postgres.pool.ClaimAttempt.Answer;
import dev.mintmark.postgres.pool.ClaimAttempt.Found;
import dev.mintmark.postgres.pool.ClaimAttempt.Outcome;
import dev.mintmark.postgres.pool.ClaimAttempt.Slot;
import dev.mintmark.postgres.pool.ClaimAttempt.SlotRequest;
import dev.mintmark.postgres.pool.ClaimRequest.Subject;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

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

  /**
   * How long a batch that does not wait is held up by a row that another session has locked; then
   * it is sent in parts, to find the claims that met it. Transactions of pools take less.
   */
  static final Duration BATCH_PATIENCE = Duration.ofMillis(250);

  private static final SqlFile CLAIM = SqlFile.load(Claimer.class, "claim");
  private static final SqlFile RECLAIM = SqlFile.load(Claimer.class, "reclaim");

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
   * Knows an epoch, and runs the statements once without a request: the first run on a connection
   * takes the server ten times as long.
   */
  void warmUp() {
    context.fence().warmUp();
    ClaimAttempt unused =
        context
            .impatient()
            .single(
                statements ->
                    attempt(List.of(), context.spec(), context.fence().known(), false, statements));
  }

  /**
   * Answers requests for one value each, of which no two are for the same subject, without waiting
   * for other sessions. A request without a result met rows that another session has locked: see
   * {@link #await}.
   */
  Map<Subject, ClaimResult> claim(List<ClaimRequest> requests) {
    return claim(requests, Sending.quick());
  }

  /**
   * Answers requests of which no two are for the same subject: requests for one value each, or one
   * request for several. Waits up to {@link #PATIENCE} for rows that other sessions have locked.
   * Every request has a result.
   *
   * @param sinceNanos when the last of them began to wait
   */
  Map<Subject, ClaimResult> await(List<ClaimRequest> requests, long sinceNanos) {
    return claim(requests, Sending.waiting(sinceNanos));
  }

  private Map<Subject, ClaimResult> claim(List<ClaimRequest> requests, Sending sending) {
    Map<Subject, ClaimResult> results = new HashMap<>();
    PoolSpec spec = context.freshSpec();
    List<ClaimRequest> open = new ArrayList<>();
    for (ClaimRequest request : requests) {
      Optional<ClaimResult> notOpen = context.notOpen(request); // The gate may be a new one.
      if (notOpen.isPresent()) {
        results.put(request.subject(), notOpen.get());
      } else if (request.slot() + request.count() > spec.perClient()) {
        results.put(request.subject(), context.full(request.client()));
      } else {
        open.add(request);
      }
    }
    List<ClaimRequest> announced = announced(open, sending, results);
    if (!announced.isEmpty()) {
      claim(announced, sending, results);
    }
    return results;
  }

  /**
   * The requests whose leases all instances know of. A change of the settings may have locked the
   * row of the pool.
   */
  private List<ClaimRequest> announced(
      List<ClaimRequest> requests, Sending sending, Map<Subject, ClaimResult> results) {
    Optional<Duration> longest =
        requests.stream()
            .flatMap(request -> request.lease().stream())
            .max(Comparator.naturalOrder());
    if (longest.isEmpty() || context.announceLease(longest.get(), sending.lockLimit())) {
      return requests;
    }
    List<ClaimRequest> announced = new ArrayList<>();
    List<ClaimRequest> others = new ArrayList<>();
    for (ClaimRequest request : requests) {
      boolean isAnnounced = request.lease().filter(one -> !context.isAnnounced(one)).isEmpty();
      (isAnnounced ? announced : others).add(request);
    }
    leave(others, sending, results);
    return announced;
  }

  /** Ends with requests that met locked rows: they are contended, or have no result. */
  private void leave(
      List<ClaimRequest> requests, Sending sending, Map<Subject, ClaimResult> results) {
    if (sending.waits()) {
      requests.forEach(request -> results.put(request.subject(), context.contended(request)));
    }
  }

  private void claim(
      List<ClaimRequest> requests, Sending sending, Map<Subject, ClaimResult> results) {
    Backoff backoff = new Backoff();
    List<ClaimRequest> open = requests;
    while (true) {
      boolean isLate = backoff.elapsed().compareTo(PATIENCE) >= 0;
      Fence.Known known = context.fence().known();
      ClaimAttempt attempt = send(open, sending, known);
      if (attempt.locked && open.size() > 1 && sending.mayBeParted()) {
        int half = open.size() / 2;
        claim(open.subList(0, half), sending.inParts(), results);
        claim(open.subList(half, open.size()), sending.inParts(), results);
        return;
      }
      if (attempt.locked) {
        leave(open, sending, results);
        return;
      }
      if (attempt.full.isEmpty()) { // Otherwise they were counted for owners in vain.
        results.putAll(attempt.refused);
      }
      List<Found> believed = attempt.found.stream().filter(one -> one.isBelieved(known)).toList();
      believed.forEach(found -> results.put(found.request().subject(), result(found)));
      attempt.full.forEach(subject -> results.put(subject, context.full(subject.client())));
      attempt.stopped.forEach(
          subject -> results.put(subject, new ClaimResult.Stopped(context.name())));
      attempt.cutOff.forEach(subject -> results.put(subject, context.cutOff()));
      results.putAll(homes.of(open, attempt.sliced));
      open = withoutResult(open, attempt, sending.waits(), results);
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
      if (!quotas.add(attempt.unknownOwners) && !sending.waits()) {
        open =
            open.stream()
                .filter(one -> one.owner().filter(attempt.unknownOwners::contains).isEmpty())
                .toList();
        if (open.isEmpty()) {
          return;
        }
      }
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
      if (sending.isOver(backoff, isLate)) {
        leave(open, sending, results);
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

  /** Sends the requests once, in a transaction if several statements are needed. */
  private ClaimAttempt send(List<ClaimRequest> requests, Sending sending, Fence.Known known) {
    PoolSpec spec = context.spec();
    boolean counted = spec.perOwner().isPresent();
    boolean several = requests.stream().anyMatch(request -> request.count() > 1);
    if (!counted && !several && sending.isQuick()) {
      return PoolDatabase.unlessLocked(
              () ->
                  context
                      .impatient()
                      .single(statements -> attempt(requests, spec, known, false, statements)))
          .orElseGet(ClaimAttempt::ofLocked);
    }
    AtomicBoolean hasOwners = new AtomicBoolean(!counted);
    Work<ClaimAttempt> work =
        statements -> {
          if (!counted) {
            return attempt(requests, spec, known, true, statements);
          }
          ClaimAttempt counting = new ClaimAttempt();
          List<ClaimRequest> within =
              quotas.within(requests, spec, statements, counting, sending.waits());
          hasOwners.set(true);
          return within.isEmpty()
              ? counting
              : counting.with(attempt(within, spec, known, true, statements));
        };
    Predicate<ClaimAttempt> keep = attempt -> !attempt.undone;
    Optional<ClaimAttempt> sent =
        sending.isQuick()
            ? PoolDatabase.unlessLocked(() -> context.impatient().transaction(work, keep))
            : database.transaction(sending.lockLimit(), work, keep);
    // Claims that wait together are of one owner: without its row, none of them goes on.
    return sent.orElseGet(
        () -> hasOwners.get() ? ClaimAttempt.ofLocked() : ClaimAttempt.ofContended(requests));
  }

  /**
   * @param undone whether a failure undoes everything; otherwise what the statements before it have
   *     granted is granted
   */
  private ClaimAttempt attempt(
      List<ClaimRequest> requests,
      PoolSpec spec,
      Fence.Known known,
      boolean undone,
      Statements statements)
      throws SQLException {
    Map<Slot, Answer> answers = new HashMap<>();
    List<SlotRequest> slots = requests.stream().flatMap(ClaimAttempt::slotsOf).toList();
    claim(slots, spec.sticky(), known, statements, answers);
    List<SlotRequest> returning = answeredBy(Outcome.LAST, slots, answers);
    if (!returning.isEmpty()) {
      try {
        reclaim(returning, known, statements, answers);
      } catch (SQLException e) {
        if (undone || !LockTimeout.is(e)) {
          throw e;
        }
        returning.forEach(one -> answers.putIfAbsent(one.slot(), Answer.contended(one.slot())));
        answers.replaceAll(
            (slot, answer) -> answer.outcome() == Outcome.LAST ? Answer.contended(slot) : answer);
      }
    }
    return ClaimAttempt.of(requests, answers);
  }

  private void reclaim(
      List<SlotRequest> returning,
      Fence.Known known,
      Statements statements,
      Map<Slot, Answer> answers)
      throws SQLException {
    query(RECLAIM, binds(returning, known), statements, answers);
    List<SlotRequest> others = answeredBy(Outcome.LAST, returning, answers);
    others.forEach(other -> answers.remove(other.slot()));
    if (!others.isEmpty()) {
      claim(others, false, known, statements, answers);
    }
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
