package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.pool.ClaimAttempt.Answer;
import dev.mintmark.postgres.pool.ClaimAttempt.Outcome;
import dev.mintmark.postgres.pool.ClaimAttempt.Slot;
import dev.mintmark.postgres.pool.ClaimAttempt.SlotRequest;
import dev.mintmark.postgres.pool.ClaimResult.Quota;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Counts what owners hold before claims for them are granted. Safe for use by many threads. */
final class OwnerQuotas {
  private static final SqlFile ADD_OWNERS = SqlFile.load(OwnerQuotas.class, "add_owners");
  private static final SqlFile LOCK_OWNERS = SqlFile.load(OwnerQuotas.class, "lock_owners");
  private static final SqlFile AWAIT_OWNERS = SqlFile.load(OwnerQuotas.class, "await_owners");
  private static final SqlFile COUNT_OWNERS = SqlFile.load(OwnerQuotas.class, "count_owners");
  private static final SqlFile HELD_SLOTS = SqlFile.load(OwnerQuotas.class, "held_slots");

  private final PoolContext context;

  OwnerQuotas(PoolContext context) {
    this.context = context;
  }

  /**
   * Returns the requests that are within the owners' quotas. Counts held values after it has locked
   * the owners' rows, so another claim for one of these owners counts later. Answers the requests
   * whose values are all held already: they take nothing from a quota, need no lock and must not
   * get another value.
   *
   * @param waits whether it waits for rows that other sessions have locked; otherwise the requests
   *     of these owners are contended
   */
  List<ClaimRequest> within(
      List<ClaimRequest> requests,
      PoolSpec spec,
      Statements statements,
      ClaimAttempt attempt,
      boolean waits)
      throws SQLException {
    Map<String, Boolean> locked = lock(requests, statements, waits);
    Map<String, Count> counts = new HashMap<>();
    statements
        .query(
            COUNT_OWNERS,
            row -> Map.entry(row.getString("owner"), Count.read(row)),
            context.poolId(),
            bind("owners", locked.keySet().toArray(String[]::new)))
        .forEach(count -> counts.put(count.getKey(), count.getValue()));
    Map<Slot, Answer> filled = filledSlots(requests, statements);
    int quota = spec.perOwner().orElseThrow();
    List<ClaimRequest> within = new ArrayList<>();
    for (ClaimRequest request : requests) {
      String owner = ownerOf(request);
      List<Answer> answers =
          ClaimAttempt.slotsOf(request)
              .flatMap(slot -> Optional.ofNullable(filled.get(slot.slot())).stream())
              .toList();
      Count then = counts.getOrDefault(owner, Count.NONE).plus(request.count() - answers.size());
      if (answers.stream().anyMatch(answer -> answer.outcome() == Outcome.ENDED)) {
        attempt.ended = true;
      } else if (answers.size() == request.count()) {
        attempt.with(ClaimAttempt.of(List.of(request), filled));
      } else if (!locked.containsKey(owner)) {
        attempt.unknownOwners.add(owner);
      } else if (!Boolean.TRUE.equals(locked.get(owner))) {
        attempt.contended.add(request.subject());
      } else if (then.held <= quota) {
        counts.put(owner, then);
        within.add(request);
      } else if (then.held - then.ended <= quota) {
        attempt.ended = true;
      } else {
        attempt.refused.put(
            request.subject(), new QuotaReached(context.name(), Quota.OWNER, owner, quota));
      }
    }
    return within;
  }

  /**
   * How many values an owner holds.
   *
   * @param ended how many of them have a lease that has ended: a renewal may still extend them
   *     until they are swept
   */
  private record Count(long held, long ended) {
    static final Count NONE = new Count(0, 0);

    static Count read(ResultSet row) throws SQLException {
      return new Count(row.getLong("held"), row.getLong("ended"));
    }

    Count plus(int more) {
      return new Count(held + more, ended);
    }
  }

  /** The owners that have a row, each with whether the row is now locked. */
  private Map<String, Boolean> lock(
      List<ClaimRequest> requests, Statements statements, boolean waits) throws SQLException {
    Map<String, Boolean> locked = new HashMap<>();
    statements
        .query(
            waits ? AWAIT_OWNERS : LOCK_OWNERS,
            row -> Map.entry(row.getString("owner"), row.getBoolean("locked")),
            context.poolId(),
            bind(
                "owners",
                requests.stream().map(OwnerQuotas::ownerOf).distinct().toArray(String[]::new)))
        .forEach(owner -> locked.put(owner.getKey(), owner.getValue()));
    return locked;
  }

  private Map<Slot, Answer> filledSlots(List<ClaimRequest> requests, Statements statements)
      throws SQLException {
    List<SlotRequest> slots = requests.stream().flatMap(ClaimAttempt::slotsOf).toList();
    Map<Slot, Answer> filled = new HashMap<>();
    statements
        .query(
            HELD_SLOTS,
            Answer::read,
            context.poolId(),
            bind("clients", ClaimAttempt.clients(slots)),
            bind("slots", ClaimAttempt.numbers(slots)))
        .forEach(answer -> filled.put(answer.slot(), answer));
    return filled;
  }

  /**
   * Adds the rows of owners. Must be called outside of the transaction that counts.
   *
   * @return false if another session has added one of them, and its transaction is still open
   */
  boolean add(Set<String> owners) {
    Bind names = bind("owners", owners.toArray(String[]::new));
    return owners.isEmpty()
        || PoolDatabase.unlessLocked(
                () ->
                    context
                        .impatient()
                        .single(
                            statements -> statements.update(ADD_OWNERS, context.poolId(), names)))
            .isPresent();
  }

  /** The owner; {@link Pool#claimAsync} requires it if the pool limits owners. */
  private static String ownerOf(ClaimRequest request) {
    return request.owner().orElse("");
  }
}
