package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.pool.ClaimRequest.Subject;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The result of sending requests once: answers, and what to do before they are sent again. */
final class ClaimAttempt {
  final Map<Subject, ClaimResult> refused = new HashMap<>();
  final List<Found> found = new ArrayList<>();

  /** The owners that have no row yet. */
  final Set<String> unknownOwners = new HashSet<>();

  /** The requests whose owner's row, or whose slot, another session has locked. */
  final Set<Subject> contended = new HashSet<>();

  /** A lease has ended and no sweep has run since. */
  boolean ended;

  /** A free value was met that is not handed out any more: of a drained block, or excluded. */
  boolean withdraws;

  /**
   * The most free values that a request lacked, since none was free or all were locked: all that it
   * needs, because what it has got is rolled back.
   */
  int missing;

  /** The database may have gone back: the claim is sent again in the present epoch. */
  boolean fenced;

  /** The clients would hold more values than the pool allows. */
  final Set<Subject> full = new HashSet<>();

  /** The pool grants nothing since it was found that the database may have gone back. */
  final Set<Subject> stopped = new HashSet<>();

  /** The blocks of the pool end, and their source does not answer. */
  final Set<Subject> cutOff = new HashSet<>();

  /** Instances grant the values of the pool from their slices. */
  final Set<Subject> sliced = new HashSet<>();

  /** A statement waited for a lock in vain, of one request or several: nothing is known of any. */
  boolean locked;

  /** The transaction is rolled back: not all values of a request were free. */
  boolean undone;

  /** The outcome for a slot; the names are those of claim.sql and reclaim.sql. */
  enum Outcome {
    GRANTED,
    ROUSED,
    HELD,
    ENDED,
    FULL,
    DUE,
    LAST,
    CONTENDED,
    WITHDRAW,
    FENCED,
    STOPPED,
    CUT_OFF,
    SLICED;

    private static Outcome of(String name) {
      return valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT));
    }
  }

  /** Outcomes without a claim. */
  private static final Set<Outcome> NO_CLAIM =
      EnumSet.of(
          Outcome.FULL,
          Outcome.DUE,
          Outcome.LAST,
          Outcome.CONTENDED,
          Outcome.WITHDRAW,
          Outcome.FENCED,
          Outcome.STOPPED,
          Outcome.CUT_OFF,
          Outcome.SLICED);

  record Slot(String client, int number) {}

  record SlotRequest(Slot slot, ClaimRequest request) {}

  /**
   * @param inEpoch whether the claim was read in the epoch that the instance knows
   */
  record Answer(Slot slot, Outcome outcome, Optional<ClaimRow> claim, boolean inEpoch) {
    static Answer contended(Slot slot) {
      return new Answer(slot, Outcome.CONTENDED, Optional.empty(), false);
    }

    static Answer read(ResultSet row) throws SQLException {
      Outcome outcome = Outcome.of(row.getString("outcome"));
      return new Answer(
          new Slot(row.getString("client"), row.getInt("slot")),
          outcome,
          NO_CLAIM.contains(outcome) ? Optional.empty() : Optional.of(ClaimRow.read(row)),
          row.getBoolean("in_epoch"));
    }
  }

  /**
   * The claims that answer a request.
   *
   * @param answers of its slots, each with a claim
   * @param granted whether some of them are new
   */
  record Found(ClaimRequest request, List<Answer> answers, boolean granted) {
    List<ClaimRow> rows() {
      return answers.stream().flatMap(answer -> answer.claim.stream()).toList();
    }

    /**
     * Remembers the tokens; whether the claims may be believed, as {@link Fence.Known#saw} says.
     */
    boolean isBelieved(Fence.Known known) {
      boolean believed = true;
      for (Answer answer : answers) {
        long token = answer.claim.orElseThrow().token();
        believed &= answer.inEpoch ? known.saw(token) : known.sawOther(token);
      }
      return believed;
    }
  }

  /** Adds the result of the statements that followed. */
  ClaimAttempt with(ClaimAttempt then) {
    refused.putAll(then.refused);
    found.addAll(then.found);
    unknownOwners.addAll(then.unknownOwners);
    contended.addAll(then.contended);
    ended |= then.ended;
    withdraws |= then.withdraws;
    fenced |= then.fenced;
    full.addAll(then.full);
    stopped.addAll(then.stopped);
    cutOff.addAll(then.cutOff);
    sliced.addAll(then.sliced);
    missing = Math.max(missing, then.missing);
    undone |= then.undone;
    return this;
  }

  /** Of requests of which one or more met a lock. */
  static ClaimAttempt ofLocked() {
    ClaimAttempt attempt = new ClaimAttempt();
    attempt.locked = true;
    return attempt;
  }

  /** Of requests that have all met a lock. */
  static ClaimAttempt ofContended(List<ClaimRequest> requests) {
    ClaimAttempt attempt = new ClaimAttempt();
    requests.forEach(request -> attempt.contended.add(request.subject()));
    return attempt;
  }

  /** Combines the answers for slots into results of requests. */
  static ClaimAttempt of(List<ClaimRequest> requests, Map<Slot, Answer> answers) {
    ClaimAttempt attempt = new ClaimAttempt();
    for (ClaimRequest request : requests) {
      attempt.add(request, answers);
    }
    return attempt;
  }

  private void add(ClaimRequest request, Map<Slot, Answer> answers) {
    List<Answer> withClaim = new ArrayList<>();
    boolean granted = false;
    int lacking = 0;
    int fromFree = 0;
    for (int i = 0; i < request.count(); i++) {
      Answer answer = answers.get(new Slot(request.client(), request.slot() + i));
      if (answer == null) {
        lacking++;
      } else if (answer.outcome == Outcome.ENDED || answer.outcome == Outcome.DUE) {
        ended = true;
      } else if (answer.outcome == Outcome.FULL) {
        full.add(request.subject());
      } else if (answer.outcome == Outcome.WITHDRAW) {
        withdraws = true;
      } else if (answer.outcome == Outcome.FENCED) {
        fenced = true;
      } else if (answer.outcome == Outcome.STOPPED) {
        stopped.add(request.subject());
      } else if (answer.outcome == Outcome.CUT_OFF) {
        cutOff.add(request.subject());
      } else if (answer.outcome == Outcome.SLICED) {
        sliced.add(request.subject());
      } else if (answer.outcome == Outcome.CONTENDED) {
        contended.add(request.subject());
      } else {
        answer.claim.ifPresent(row -> withClaim.add(answer));
        granted |= answer.outcome == Outcome.GRANTED || answer.outcome == Outcome.ROUSED;
        fromFree += answer.outcome == Outcome.GRANTED ? 1 : 0;
      }
    }
    if (lacking > 0) {
      missing = Math.max(missing, lacking + fromFree);
    }
    if (withClaim.size() == request.count()) {
      found.add(new Found(request, withClaim, granted));
    } else if (request.count() > 1) {
      undone = true;
    }
  }

  static Stream<SlotRequest> slotsOf(ClaimRequest request) {
    return IntStream.range(request.slot(), request.slot() + request.count())
        .mapToObj(slot -> new SlotRequest(new Slot(request.client(), slot), request));
  }

  static String[] clients(List<SlotRequest> slots) {
    return slots.stream().map(one -> one.slot.client).toArray(String[]::new);
  }

  static Integer[] numbers(List<SlotRequest> slots) {
    return slots.stream().map(one -> one.slot.number).toArray(Integer[]::new);
  }

  static @Nullable String ownerOrNull(ClaimRequest request) {
    return request.owner().orElse(null);
  }

  static @Nullable Long leaseOrNull(ClaimRequest request) {
    return request.lease().map(Duration::toMillis).orElse(null);
  }
}
