package dev.mintmark.testkit;

import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Judges an allocator of scarce values by a log of its calls and answers. It knows nothing of how
 * the allocator works.
 *
 * <p><b>No false alarms.</b> A call takes effect at some moment between its being sent and its
 * answer; a call without an answer, at any time after it was sent or not at all. From that follows,
 * for each claim that an answer has reported, a time in which it was <em>certainly</em> held, in
 * every order of events that the log allows. A finding is a contradiction between such times. Two
 * claims of one value contradict each other only if both were certainly held at one moment. So a
 * claim whose answer was lost leads to no finding until a later answer reports it.
 *
 * <p>The checker assumes that {@link System#nanoTime} counts alike in all processes that wrote the
 * log; that the database's clock does not jump, and does not run faster by more than one percent,
 * if there are leases or a quarantine; and that {@link Rules#patience} is longer than the longest
 * lease, the quarantine and a statement whose client is gone take together.
 *
 * <p><b>What it can miss.</b> Whatever no answer reports: two holders that overlapped only between
 * call and answer, or a value that was lost and found again before the log was {@linkplain
 * RecordedAllocator#settle settled}. So a run should hold values for longer than calls take, and
 * settle at its end. The absence of findings is evidence, not proof.
 */
public final class AllocatorChecker {
  /** What is wrong. */
  public enum Kind {
    /** A value was held by two claims at one moment. */
    DOUBLED,
    /** A client held two values in one slot, or got more values than it asked for. */
    TOO_MANY,
    /** No client holds the value, and no client got it for the length of the rules' patience. */
    LOST,
    /** A claim that was acknowledged, not released and not expired, did not exist. */
    VANISHED,
    /** A release or renewal with an old token was accepted, or tokens do not ascend. */
    STALE_TOKEN,
    /** The counts of one snapshot do not add up, or contradict what is certainly held. */
    MISCOUNTED,
    /** An owner held more values than its quota. */
    QUOTA_EXCEEDED,
    /** A value was handed out again before its quarantine ended. */
    EARLY,
    /** A client was rejected although it held a value. */
    TURNED_AWAY,
    /** A claim was answered "exhausted" although enough values were certainly free. */
    WRONGLY_EXHAUSTED,
    /** An answer does not match its call. */
    WRONG_ANSWER
  }

  /**
   * Something that is wrong.
   *
   * @param text a sentence that names the value and the clients
   */
  public record Finding(Kind kind, String text) {}

  /**
   * What the allocator promises.
   *
   * @param values all values that it has
   * @param perOwner how many values an owner may hold; empty: without a limit
   * @param quarantine how long a value is quarantined after it was held by another client
   * @param remembered how long "exhausted" may be answered after the pool was found empty
   * @param patience a value that no client gets for so long is lost
   * @param withheld the most values that may be withheld from all clients: drained or excluded
   */
  public record Rules(
      Set<String> values,
      OptionalInt perOwner,
      Duration quarantine,
      Duration remembered,
      Duration patience,
      int withheld) {
    /** No quota, no quarantine, nothing remembered. */
    public static Rules of(Set<String> values, Duration patience) {
      return new Rules(values, OptionalInt.empty(), Duration.ZERO, Duration.ZERO, patience, 0);
    }

    /** The same with a quota of owners. */
    public Rules withPerOwner(int limit) {
      return new Rules(values, OptionalInt.of(limit), quarantine, remembered, patience, withheld);
    }

    /** The same with a quarantine. */
    public Rules withQuarantine(Duration length) {
      return new Rules(values, perOwner, length, remembered, patience, withheld);
    }

    /** The same for an allocator that remembers that it was empty. */
    public Rules withRemembered(Duration bound) {
      return new Rules(values, perOwner, quarantine, bound, patience, withheld);
    }

    /** The same if up to that many values may be withheld from all clients. */
    public Rules withWithheld(int count) {
      return new Rules(values, perOwner, quarantine, remembered, patience, count);
    }
  }

  private static final double NANOS_IN_SECOND = 1e9;

  private final Rules rules;
  private final List<Operation> operations;
  private final long start;
  private final Map<Held, Holding> holdings = new LinkedHashMap<>();
  private final Map<String, List<Holding>> ofClient = new HashMap<>();
  private final List<Finding> findings = new ArrayList<>();

  private AllocatorChecker(List<Operation> operations, Rules rules) {
    this.rules = rules;
    this.operations =
        operations.stream().sorted(Comparator.comparingLong(Operation::invokedNanos)).toList();
    this.start = this.operations.isEmpty() ? 0 : this.operations.get(0).invokedNanos();
  }

  /**
   * Judges a log.
   *
   * @param operations the calls of all instances, in any order
   * @return what is wrong, in the order of the kinds; empty if nothing is
   */
  public static List<Finding> judge(List<Operation> operations, Rules rules) {
    AllocatorChecker checker = new AllocatorChecker(operations, rules);
    checker.collectHoldings();
    checker.checkHoldings();
    checker.checkAnswers();
    checker.checkLosses();
    checker.findings.sort(Comparator.comparing(Finding::kind));
    return List.copyOf(checker.findings);
  }

  private void collectHoldings() {
    for (Operation operation : operations) {
      for (Held held : reported(operation)) {
        holding(held).reported(operation);
      }
      if (operation.call() instanceof Call.Release release) {
        holding(release.held()).released(operation);
      }
      if (operation.call() instanceof Call.Renew renew
          && !(operation.answer() instanceof Answer.Refused)) {
        holding(renew.held()).renewed(operation);
      }
    }
    Map<String, List<Operation>> claims =
        operations.stream()
            .filter(operation -> operation.call() instanceof Call.Claim)
            .collect(Collectors.groupingBy(claim -> ((Call.Claim) claim.call()).client()));
    for (Holding holding : holdings.values()) {
      if (holding.claims().isEmpty()) {
        claims.getOrDefault(holding.held().client(), List.of()).stream()
            .filter(claim -> mayHaveMade(claim, holding))
            .forEach(holding::mayStemFrom);
      }
      holding.settle();
    }
    ofClient.putAll(
        holdings.values().stream().collect(Collectors.groupingBy(one -> one.held().client())));
  }

  private Holding holding(Held held) {
    return holdings.computeIfAbsent(held, Holding::new);
  }

  /** The claims that an answer says were held. */
  private static List<Held> reported(Operation operation) {
    Answer answer = operation.answer();
    if (answer instanceof Answer.Granted granted) {
      return granted.held();
    }
    if (answer instanceof Answer.AlreadyHeld already) {
      return already.held();
    }
    if (answer instanceof Answer.Listed listed) {
      return listed.held();
    }
    if (operation.call() instanceof Call.Renew renew && answer instanceof Answer.Renewed) {
      return List.of(renew.held());
    }
    return List.of();
  }

  private static boolean mayHaveMade(Operation claim, Holding holding) {
    return ((Call.Claim) claim.call()).asksFor(holding.held().slot())
        && claim.invokedNanos() < holding.certainFrom()
        && (!claim.isAnswered() || reported(claim).contains(holding.held()));
  }

  private void checkHoldings() {
    List<Holding> inOrder =
        holdings.values().stream()
            .filter(holding -> holding.certainFrom() != Operation.NEVER)
            .sorted(Comparator.comparingLong(Holding::certainFrom))
            .toList();
    inOrder.forEach(this::checkOrigin);
    by(inOrder, holding -> holding.held().value()).forEach(this::checkValue);
    by(inOrder, holding -> holding.held().client() + '\t' + holding.held().slot())
        .forEach((slot, ofSlot) -> checkSlot(ofSlot));
    if (rules.perOwner.isPresent()) {
      by(inOrder, holding -> holding.owner().orElse(""))
          .forEach((owner, ofOwner) -> checkQuota(owner, ofOwner, rules.perOwner.getAsInt()));
    }
  }

  private static Map<String, List<Holding>> by(
      List<Holding> holdings, Function<Holding, String> key) {
    return holdings.stream()
        .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
  }

  private void checkOrigin(Holding holding) {
    if (holding.claims().isEmpty()) {
      find(
          Kind.WRONG_ANSWER, "%s, but that client never asked for it".formatted(describe(holding)));
    }
    if (!rules.values.contains(holding.held().value())) {
      find(Kind.WRONG_ANSWER, "%s, which is no value of the pool".formatted(describe(holding)));
    }
    Optional<Operation> released = holding.acknowledgedRelease();
    if (holding.releases().stream().filter(one -> one.answer() instanceof Answer.Released).count()
        > 1) {
      find(Kind.STALE_TOKEN, "%s, was taken back twice by that token".formatted(describe(holding)));
    }
    if (released.isPresent() && holding.certainUntil() > released.get().answeredNanos()) {
      find(
          Kind.STALE_TOKEN,
          "%s, was released by %s and reported as held after that, at %s"
              .formatted(
                  describe(holding),
                  at(released.get().answeredNanos()),
                  at(holding.certainUntil())));
    }
  }

  /** One value's claims, in the order in which answers reported them. */
  private void checkValue(String value, List<Holding> ofValue) {
    Holding longest = ofValue.get(0);
    long quarantine = rules.quarantine.toNanos() - rules.quarantine.toNanos() / 100;
    for (int i = 1; i < ofValue.size(); i++) {
      Holding next = ofValue.get(i);
      if (contradict(longest, next)) {
        find(
            Kind.DOUBLED,
            "%s, and at the same time by %s".formatted(describe(longest), holder(next)));
      } else if (next.beganAfter(longest)) {
        // Its last client may get it back earlier.
        boolean another = !next.held().client().equals(longest.held().client());
        if (another && longest.quarantinedFrom() + quarantine > next.certainFrom()) {
          find(
              Kind.EARLY,
              "%s, until %s at least, and after less than the quarantine by %s"
                  .formatted(describe(longest), at(longest.quarantinedFrom()), holder(next)));
        }
        if (next.held().token() <= longest.held().token()) {
          find(
              Kind.STALE_TOKEN,
              "%s, and after that by %s: tokens must ascend"
                  .formatted(describe(longest), holder(next)));
        }
      }
      if (next.certainUntil() > longest.certainUntil()) {
        longest = next;
      }
    }
    checkObeyed(ofValue);
  }

  /** Whether a token was accepted after an answer reported a later claim of the same value. */
  private void checkObeyed(List<Holding> ofValue) {
    for (Holding holding : ofValue) {
      for (Operation release : holding.releases()) {
        if (release.answer() instanceof Answer.Released) {
          ofValue.stream()
              .filter(later -> later.certainFrom() < release.invokedNanos())
              .filter(later -> later.beganAfter(holding))
              .findFirst()
              .ifPresent(
                  later ->
                      find(
                          Kind.STALE_TOKEN,
                          "%s, was taken back by that token at %s, though given to %s before"
                              .formatted(
                                  describe(holding), at(release.invokedNanos()), holder(later))));
        }
      }
    }
  }

  private void checkSlot(List<Holding> ofSlot) {
    Holding longest = ofSlot.get(0);
    for (Holding next : ofSlot.subList(1, ofSlot.size())) {
      if (contradict(longest, next) && !next.held().value().equals(longest.held().value())) {
        find(
            Kind.TOO_MANY,
            "client \"%s\" held two values in slot %s at the same time: %s since %s and %s since %s"
                .formatted(
                    next.held().client(),
                    next.held().slot(),
                    claimOf(longest),
                    at(longest.certainFrom()),
                    claimOf(next),
                    at(next.certainFrom())));
      }
      if (next.certainUntil() > longest.certainUntil()) {
        longest = next;
      }
    }
  }

  private void checkQuota(String owner, List<Holding> ofOwner, int limit) {
    if (owner.isEmpty()) {
      return;
    }
    for (Holding newest : ofOwner) {
      List<Holding> atOnce =
          ofOwner.stream()
              .filter(one -> one.certainFrom() <= newest.certainFrom())
              .filter(one -> one.certainUntil() > newest.certainFrom())
              .toList();
      if (atOnce.size() > limit) {
        find(
            Kind.QUOTA_EXCEEDED,
            "owner \"%s\" held %s values at %s and may hold %s: %s"
                .formatted(
                    owner,
                    atOnce.size(),
                    at(newest.certainFrom()),
                    limit,
                    atOnce.stream()
                        .map(AllocatorChecker::holder)
                        .collect(Collectors.joining(", "))));
        return;
      }
    }
  }

  /**
   * Whether two claims of one value, or of one slot, contradict each other: both were certainly
   * held at one moment, or the later was made while the earlier was certainly held.
   */
  private static boolean contradict(Holding earlier, Holding later) {
    long end =
        later.beganAfter(earlier)
            ? earlier.certainUntil()
            : Math.min(earlier.certainUntil(), later.certainUntil());
    return later.certainFrom() < end;
  }

  private void checkAnswers() {
    ExhaustionCheck exhaustion = new ExhaustionCheck(holdings.values(), operations, rules);
    for (Operation operation : operations) {
      if (!operation.isAnswered()) {
        continue;
      }
      if (operation.call() instanceof Call.Claim claim) {
        checkClaim(operation, claim);
        if (operation.answer() instanceof Answer.Exhausted) {
          checkExhausted(operation, claim, exhaustion.certainlyFree(operation));
        }
      } else if (operation.answer() instanceof Answer.Refused) {
        checkRefusal(operation);
      } else if (operation.answer() instanceof Answer.Counted counted) {
        checkCensus(operation, counted.counts());
      } else if (operation.answer() instanceof Answer.Listed listed) {
        checkListed(operation, Set.copyOf(listed.held()));
      }
    }
  }

  private void checkClaim(Operation operation, Call.Claim claim) {
    List<Held> held = reported(operation);
    if (!held.isEmpty()) {
      boolean others = held.stream().anyMatch(one -> !one.client().equals(claim.client()));
      if (held.size() != claim.count()) {
        find(
            Kind.TOO_MANY,
            "client \"%s\" asked for %s and was given %s at %s: %s"
                .formatted(
                    claim.client(),
                    claim.count(),
                    held.size(),
                    at(operation.answeredNanos()),
                    held.stream().map(Held::value).collect(Collectors.joining(", "))));
      }
      boolean named =
          operation.answer() instanceof Answer.Granted
              && claim.value().isPresent()
              && !claim.value().get().equals(held.get(0).value());
      if (others || named) {
        find(Kind.WRONG_ANSWER, "%s was answered by %s".formatted(claim, held));
      }
      return;
    }
    // Rejected: what the client already held in these slots must be returned.
    long knownSince = operation.invokedNanos() - rules.remembered.toNanos();
    if (claim.value().isEmpty()) {
      ofClient.getOrDefault(claim.client(), List.of()).stream()
          .filter(holding -> claim.asksFor(holding.held().slot()) && claim.count() == 1)
          .filter(holding -> holding.covers(knownSince, operation.answeredNanos()))
          .forEach(
              holding ->
                  find(
                      Kind.TURNED_AWAY,
                      "%s, who was turned away at %s"
                          .formatted(describe(holding), at(operation.answeredNanos()))));
    }
  }

  private void checkExhausted(Operation operation, Call.Claim claim, long free) {
    if (free >= claim.count()) {
      find(
          Kind.WRONGLY_EXHAUSTED,
          "client \"%s\" asked for %s and was told at %s that the pool is exhausted: %s values were free"
              .formatted(claim.client(), claim.count(), at(operation.answeredNanos()), free));
    }
  }

  private void checkRefusal(Operation operation) {
    boolean isRelease = operation.call() instanceof Call.Release;
    Held held =
        operation.call() instanceof Call.Release release
            ? release.held()
            : ((Call.Renew) operation.call()).held();
    Holding holding = holding(held);
    boolean wasHeld =
        isRelease
            ? holding.wouldCoverButFor(operation)
            : holding.covers(operation.invokedNanos(), operation.answeredNanos());
    if (wasHeld) {
      find(
          Kind.VANISHED,
          "%s, was not there when it was to be %s at %s"
              .formatted(
                  describe(holding),
                  isRelease ? "released" : "renewed",
                  at(operation.invokedNanos())));
    }
  }

  private void checkCensus(Operation operation, PoolCounts counts) {
    if (!counts.addsUp()) {
      find(Kind.MISCOUNTED, "at %s: %s".formatted(at(operation.answeredNanos()), counts));
    } else if (counts.capacity() != rules.values.size()) {
      find(
          Kind.MISCOUNTED,
          "at %s: %s, but the pool has %s values"
              .formatted(at(operation.answeredNanos()), counts, rules.values.size()));
    }
    long certainlyHeld =
        holdings.values().stream()
            .filter(one -> one.covers(operation.invokedNanos(), operation.answeredNanos()))
            .count();
    if (certainlyHeld > counts.held()) {
      find(
          Kind.MISCOUNTED,
          "at %s: %s, but %s were held"
              .formatted(at(operation.answeredNanos()), counts, certainlyHeld));
    }
  }

  private void checkListed(Operation operation, Set<Held> listed) {
    holdings.values().stream()
        .filter(one -> one.covers(operation.invokedNanos(), operation.answeredNanos()))
        .filter(one -> !listed.contains(one.held()))
        .forEach(
            one ->
                find(
                    Kind.VANISHED,
                    "%s, was not among those listed at %s"
                        .formatted(describe(one), at(operation.answeredNanos()))));
  }

  /**
   * Finds the values that are missing at the end: they are not in the last list of held values, and
   * no answer reports a claim or a release of them in the time of the patience before the last
   * "exhausted".
   */
  private void checkLosses() {
    Optional<Operation> last =
        operations.stream()
            .filter(operation -> operation.answer() instanceof Answer.Listed)
            .reduce((a, b) -> b);
    Optional<Operation> turnedAway =
        last.flatMap(
            list ->
                operations.stream()
                    .filter(operation -> operation.answer() instanceof Answer.Exhausted)
                    .filter(operation -> operation.answeredNanos() <= list.invokedNanos())
                    .reduce((a, b) -> b));
    if (turnedAway.isEmpty()) {
      return;
    }
    long since = turnedAway.get().invokedNanos() - rules.patience.toNanos();
    Set<String> found =
        operations.stream()
            .filter(operation -> operation.answeredNanos() >= since)
            .flatMap(AllocatorChecker::valuesTouched)
            .collect(Collectors.toSet());
    if (since >= start) {
      rules.values.stream()
          .filter(value -> !found.contains(value))
          .sorted()
          .forEach(value -> find(Kind.LOST, describeLoss(value)));
    }
  }

  private static Stream<String> valuesTouched(Operation operation) {
    Stream<String> reported = reported(operation).stream().map(Held::value);
    boolean released =
        operation.call() instanceof Call.Release && operation.answer() instanceof Answer.Released;
    return operation.call() instanceof Call.Release release && released
        ? Stream.of(release.held().value())
        : reported;
  }

  private String describeLoss(String value) {
    Optional<Holding> last =
        holdings.values().stream()
            .filter(holding -> holding.held().value().equals(value))
            .filter(holding -> holding.certainFrom() != Operation.NEVER)
            .max(Comparator.comparingLong(Holding::certainFrom));
    String unknown =
        operations.stream()
            .filter(operation -> !operation.isAnswered())
            .map(Operation::call)
            .filter(Call.Claim.class::isInstance)
            .map(call -> "\"" + ((Call.Claim) call).client() + "\"")
            .distinct()
            .limit(5)
            .collect(Collectors.joining(", "));
    return "value %s: no client holds it, and no claim is granted it; %s%s"
        .formatted(
            value,
            last.map(holding -> "held last by " + holder(holding))
                .orElse("it was never handed out"),
            unknown.isEmpty() ? "" : "; claims without an answer were those of " + unknown);
  }

  private void find(Kind kind, String text) {
    findings.add(new Finding(kind, text));
  }

  private String describe(Holding holding) {
    return "value %s: held by %s from %s"
        .formatted(holding.held().value(), holder(holding), at(holding.certainFrom()));
  }

  private static String holder(Holding holding) {
    return "\"%s\" (token %s)".formatted(holding.held().client(), holding.held().token());
  }

  private static String claimOf(Holding holding) {
    return "%s (token %s)".formatted(holding.held().value(), holding.held().token());
  }

  private String at(long nanos) {
    return String.format(Locale.ROOT, "+%.3f s", (nanos - start) / NANOS_IN_SECOND);
  }
}
