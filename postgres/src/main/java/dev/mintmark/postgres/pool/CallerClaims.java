package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.Quota;
import dev.mintmark.postgres.pool.ClaimResult.QuotaReached;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers claims in the transaction of a caller: what is granted exists if and only if that
 * transaction commits. Only the statement that claims runs there. Values are drawn, the pool is
 * swept and the fence is passed on connections of the pool, so that no block stays locked and no
 * epoch waits until the caller commits. Nothing is remembered. Safe for use by many threads.
 */
final class CallerClaims {
  private static final SqlFile CLAIM_JOINED = SqlFile.load(CallerClaims.class, "claim_joined");

  /** The time after which to claim again if it is not known when a value becomes free. */
  private static final Duration RETRY_AFTER_UNKNOWN = Duration.ofSeconds(30);

  private final PoolContext context;
  private final BlockDraw blockDraw;

  CallerClaims(PoolContext context, BlockDraw blockDraw) {
    this.context = context;
    this.blockDraw = blockDraw;
  }

  /** The answer of the database for one slot. */
  private record Answer(
      String outcome,
      boolean anyFree,
      @Nullable Instant nextDue,
      Instant at,
      Optional<ClaimRow> claim) {
    static Answer read(ResultSet row) throws SQLException {
      String outcome = row.getString("outcome");
      boolean hasClaim = outcome.equals("granted") || outcome.equals("held");
      return new Answer(
          outcome,
          row.getBoolean("any_free"),
          ClaimRow.instant(row, "next_due").orElse(null),
          ClaimRow.instant(row, "at").orElseThrow(),
          hasClaim ? Optional.of(ClaimRow.read(row)) : Optional.empty());
    }

    boolean isDue() {
      return nextDue != null && !nextDue.isAfter(at);
    }
  }

  /** Answers a request, as {@link Pool#claim(Connection, ClaimRequest)} says. */
  ClaimResult claim(Connection connection, ClaimRequest request) throws SQLException {
    checkTransaction(connection);
    int perClient = context.freshSpec().perClient();
    if (request.value().isEmpty() && request.slot() + request.count() > perClient) {
      return context.full(request.client());
    }
    if (request.lease().isPresent()
        && !context.announceLease(request.lease().get(), Claimer.PATIENCE)) {
      return context.contended(request);
    }
    Savepoint before = connection.setSavepoint();
    try {
      ClaimResult result = claimSlots(connection, request);
      if (result instanceof Granted || result instanceof AlreadyHeld) {
        connection.releaseSavepoint(before);
      } else {
        connection.rollback(before);
      }
      return result;
    } catch (RuntimeException e) {
      // What was claimed before the failure must not be committed with the rest.
      connection.rollback(before);
      throw e;
    }
  }

  private ClaimResult claimSlots(Connection connection, ClaimRequest request) throws SQLException {
    List<ClaimRow> rows = new ArrayList<>();
    boolean granted = false;
    for (int i = 0; i < request.count(); i++) {
      Answer answer = answer(connection, request, request.slot() + i);
      if (answer.claim.isEmpty()) {
        return refusal(answer, request);
      }
      rows.add(answer.claim.get());
      granted |= answer.outcome.equals("granted");
    }
    List<Claim> claims = rows.stream().map(context::toClaim).toList();
    return granted ? new Granted(claims) : new AlreadyHeld(claims);
  }

  private void checkTransaction(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "pool %s: the connection commits each statement: call setAutoCommit(false), or claim without a connection"
              .formatted(Quoted.of(context.name())));
    }
    if (connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
      throw new IllegalStateException(
          "pool %s: the transaction does not see what others commit meanwhile: expected the isolation level read committed"
              .formatted(Quoted.of(context.name())));
    }
  }

  /** Claims for one slot until there is an answer, at most about {@link Claimer#PATIENCE}. */
  private Answer answer(Connection connection, ClaimRequest request, int slot) throws SQLException {
    Backoff backoff = new Backoff();
    while (true) {
      Answer answer = send(connection, request, slot);
      switch (answer.outcome) {
        case "none" -> {
          if (blockDraw.draw(BlockIssue.CHUNK) || context.sweep().run() > 0) {
            break;
          }
          if (!answer.anyFree && !answer.isDue()) {
            return answer;
          }
          backoff.pause();
        }
        case "fenced" -> context.passFence();
        case "again" -> backoff.pause();
        default -> {
          return answer;
        }
      }
      if (backoff.elapsed().compareTo(Claimer.PATIENCE) >= 0) {
        return answer;
      }
    }
  }

  private Answer send(Connection connection, ClaimRequest request, int slot) throws SQLException {
    Optional<Place> place = request.value().map(context::requirePlace);
    Map<String, @Nullable Object> values = new HashMap<>();
    for (Bind bind : context.fence().known().binds()) {
      values.put(bind.name(), bind.value());
    }
    for (Bind bind :
        List.of(
            context.poolId(),
            bind("client", request.client()),
            bind("owner", ClaimAttempt.ownerOrNull(request)),
            bind("lease_millis", ClaimAttempt.leaseOrNull(request)),
            bind("slot", slot),
            bind("block_id", place.map(Place::block).orElse(null)),
            bind("place", place.map(Place::place).orElse(null)))) {
      values.put(bind.name(), bind.value());
    }
    return CLAIM_JOINED.query(connection, values, Answer::read).stream()
        .findFirst()
        .orElseThrow(context::unknown);
  }

  private Duration retryAfter(Answer answer) {
    context.lacksValues();
    Instant due = context.dueOrSupplied(answer.nextDue, answer.at);
    return due == null ? RETRY_AFTER_UNKNOWN : Duration.between(answer.at, due);
  }

  private ClaimResult refusal(Answer answer, ClaimRequest request) {
    String name = context.name();
    return switch (answer.outcome) {
      case "quota-client" -> context.full(request.client());
      case "quota-owner" ->
          new QuotaReached(
              name,
              Quota.OWNER,
              request.owner().orElse(""),
              context.freshSpec().perOwner().orElse(0));
      case "taken" -> new ValueTaken(name, request.value().orElseThrow());
      case "stopped" -> new ClaimResult.Stopped(name);
      case "cut-off" -> context.cutOff();
      case "sliced" -> new ClientHomes(context).of(request);
      case "none" ->
          answer.anyFree || answer.isDue()
              ? context.contended(request)
              : new Exhausted(name, answer.at, retryAfter(answer));
      default -> context.contended(request);
    };
  }
}
