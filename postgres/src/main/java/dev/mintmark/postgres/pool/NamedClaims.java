package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.Stopped;
import dev.mintmark.postgres.pool.ClaimResult.ValueTaken;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers claims for named values. A value that another client holds costs one read; other claims
 * are transactions of a few statements. Safe for use by many threads.
 */
final class NamedClaims {
  private static final SqlFile VALUE_STATE = SqlFile.load(NamedClaims.class, "value_state");
  private static final SqlFile CLAIM_VALUE = SqlFile.load(NamedClaims.class, "claim_value");

  private final PoolContext context;
  private final PoolDatabase database;
  private final OwnerQuotas quotas;
  private final ClientHomes homes;

  NamedClaims(PoolContext context, OwnerQuotas quotas) {
    this.context = context;
    this.database = context.prompt();
    this.quotas = quotas;
    this.homes = new ClientHomes(context);
  }

  /**
   * Answers a request for a named value.
   *
   * @param sinceNanos when it began to wait
   */
  ClaimResult claim(ClaimRequest request, long sinceNanos) {
    String value = request.value().orElseThrow();
    var unused = context.freshSpec();
    Optional<ClaimResult> notOpen = context.notOpen(request); // The gate may be a new one.
    if (notOpen.isPresent()) {
      return notOpen.get();
    }
    Backoff backoff = new Backoff(sinceNanos);
    if (request.lease().isPresent()
        && !context.announceLease(request.lease().get(), Sending.patienceLeft(backoff))) {
      return context.contended(request);
    }
    while (true) {
      Optional<Place> place = context.placeOf(value);
      if (place.isEmpty()) {
        return new ValueTaken(context.name(), value);
      }
      Optional<ClaimResult> result = attempt(request, value, place.get(), backoff);
      if (result.isPresent()) {
        return result.get();
      }
      if (backoff.pauses() > 0 && backoff.elapsed().compareTo(Claimer.PATIENCE) >= 0) {
        return context.contended(request);
      }
      backoff.pause();
    }
  }

  /** Empty if the value or its client has changed since the state was read. */
  private Optional<ClaimResult> attempt(
      ClaimRequest request, String value, Place place, Backoff backoff) {
    Fence.Known known = context.fence().known();
    List<ValueState> states =
        database.query(
            VALUE_STATE, ValueState::read, binds(known, place, bind("client", request.client())));
    if (states.isEmpty()) {
      // The block was removed: the value may now be in another block.
      context.reload();
      return Optional.empty();
    }
    ValueState state = states.get(0);
    int perClient = context.spec().perClient();
    return switch (state.findingFor(request.client(), perClient)) {
      case UNSWEPT -> {
        context.sweep().run();
        yield Optional.empty();
      }
      case HELD -> held(request, value, known);
      case TAKEN -> Optional.of(new ValueTaken(context.name(), value));
      case EXCLUDED ->
          throw new IllegalArgumentException(
              "pool %s excludes %s".formatted(Quoted.of(context.name()), Quoted.of(value)));
      case FENCED -> {
        context.passFence();
        yield Optional.empty();
      }
      case STOPPED -> Optional.of(new Stopped(context.name()));
      case CUT_OFF -> Optional.of(context.cutOff());
      case SLICED -> Optional.of(homes.of(request));
      case FULL -> Optional.of(context.full(request.client()));
      case AVAILABLE ->
          take(request, place, state, state.freeSlot(perClient).orElseThrow(), backoff);
    };
  }

  /** Empty if the client holds the value no more, or the database may have lost the claim since. */
  private Optional<ClaimResult> held(ClaimRequest request, String value, Fence.Known known) {
    return context
        .find(value)
        .filter(claim -> claim.client().equals(request.client()))
        .filter(claim -> known.sawOther(claim.token()))
        .map(claim -> new AlreadyHeld(List.of(claim)));
  }

  private Optional<ClaimResult> take(
      ClaimRequest request, Place place, ValueState state, int slot, Backoff backoff) {
    PoolSpec spec = context.spec();
    ClaimRequest inSlot =
        ClaimRequest.of(request.client()).withOwner(request.owner()).withSlot(slot);
    Fence.Known known = context.fence().known();
    ClaimAttempt counting = new ClaimAttempt();
    Optional<List<ClaimRow>> taken =
        database.transactionUnlessTaken(
            Sending.patienceLeft(backoff),
            statements -> {
              boolean within =
                  spec.perOwner().isEmpty()
                      || !quotas
                          .within(List.of(inSlot), spec, statements, counting, true)
                          .isEmpty();
              return within
                  ? claimValue(request, place, state, slot, known, statements)
                  : List.of();
            });
    if (taken.isEmpty()) {
      return Optional.of(context.contended(request));
    }
    boolean unused = quotas.add(counting.unknownOwners);
    if (counting.ended) {
      context.sweep().run();
    }
    return counting.refused.values().stream()
        .findFirst()
        .or(
            () ->
                taken.get().stream()
                    .filter(row -> known.saw(row.token()))
                    .findFirst()
                    .map(row -> new Granted(List.of(context.toClaim(row)))));
  }

  private List<ClaimRow> claimValue(
      ClaimRequest request,
      Place place,
      ValueState state,
      int slot,
      Fence.Known known,
      Statements statements)
      throws SQLException {
    return statements.query(
        CLAIM_VALUE,
        ClaimRow::read,
        binds(
            known,
            place,
            bind("version", state.version()),
            bind("client", request.client()),
            bind("slot", slot),
            bind("owner", ClaimAttempt.ownerOrNull(request)),
            bind("lease_millis", ClaimAttempt.leaseOrNull(request))));
  }

  /** The parameters of a statement about one value: those of the fence, the value's, and others. */
  private Bind[] binds(Fence.Known known, Place place, Bind... others) {
    List<Bind> binds = new ArrayList<>(known.binds());
    binds.add(context.poolId());
    binds.add(bind("block_id", place.block()));
    binds.add(bind("place", place.place()));
    binds.addAll(List.of(others));
    return binds.toArray(Bind[]::new);
  }
}
