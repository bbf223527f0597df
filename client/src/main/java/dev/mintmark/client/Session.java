package dev.mintmark.client;

import dev.mintmark.DurationText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Claims of one program that are kept alive together: a daemon thread renews all of them at each
 * third of the lease, with one request for each {@value #CLAIMS_A_REQUEST} claims. Safe for use by
 * many threads.
 *
 * <p>Each value may be used while {@link #isHeld} is true for its claim. That ends 19/20 of the
 * lease after the last renewal that succeeded was sent, as {@link Lease} explains.
 *
 * <p>A claim that is lost stays lost, and the others are kept: claim again.
 */
public final class Session implements AutoCloseable {
  /** The most claims of one request. */
  private static final int CLAIMS_A_REQUEST = 10_000;

  /** A claim that ends this often between being found and being renewed is released on purpose. */
  private static final int ATTEMPTS = 10;

  private final Pool pool;
  private final Transport transport;
  private final Duration length;
  private final Consumer<LeaseLoss> onLoss;
  private final Keeper keeper;

  /** The claims that are held, by their values. */
  private final Map<String, Term> terms = new ConcurrentHashMap<>();

  private Session(Pool pool, Transport transport, Duration length, Consumer<LeaseLoss> onLoss) {
    this.pool = pool;
    this.transport = transport;
    this.length = length;
    this.onLoss = onLoss;
    this.keeper = new Keeper("mintmark-session-" + pool.name(), transport.ticker(), this::run);
  }

  static Session open(Pool pool, Transport transport, Duration lease, Consumer<LeaseLoss> onLoss) {
    Session session = new Session(pool, transport, lease.truncatedTo(ChronoUnit.MILLIS), onLoss);
    session.keeper.start();
    return session;
  }

  /** Claims any value, and keeps the claim alive. */
  public ClaimResult claim(String client) {
    return claim(client, ClaimOptions.DEFAULT);
  }

  /**
   * Claims a value or several, as {@link Pool#claim(String, ClaimOptions)}, and keeps the claims
   * alive. What the client holds already is renewed at once, and kept alive too.
   *
   * @param options without a lease, which the session sets
   * @throws IllegalArgumentException if an option is malformed, or there is a lease
   * @throws IllegalStateException if the session is closed, or somebody releases the claim each
   *     time
   */
  public ClaimResult claim(String client, ClaimOptions options) {
    ClaimOptions withLease = checked(options);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Pool.Timed<ClaimResult> claimed = pool.timedClaim(client, withLease);
      if (keep(List.of(claimed.result()), claimed.sentNanos())) {
        return claimed.result();
      }
    }
    throw new IllegalStateException(
        "pool \"%s\", client \"%s\": its claim ends each time before it is renewed: does another program release it?"
            .formatted(pool.name(), client));
  }

  /**
   * Claims any value for each client, as {@link Pool#claimAll(List, ClaimOptions)}, and keeps the
   * claims alive.
   *
   * @param options as for {@link #claim(String, ClaimOptions)}
   * @return a result for each client, in their order
   * @throws IllegalArgumentException as {@link Pool#claimAll(List, ClaimOptions)}, or if there is a
   *     lease
   * @throws IllegalStateException if the session is closed
   */
  public Map<String, ClaimResult> claimAll(List<String> clients, ClaimOptions options) {
    ClaimOptions withLease = checked(options);
    Pool.Timed<Map<String, ClaimResult>> claimed = pool.timedClaimAll(clients, withLease);
    Map<String, ClaimResult> results = new LinkedHashMap<>(claimed.result());
    if (!keep(List.copyOf(results.values()), claimed.sentNanos())) {
      results.replaceAll(
          (client, result) ->
              result.claims().stream().allMatch(this::isHeld) ? result : claim(client, options));
    }
    return Collections.unmodifiableMap(results);
  }

  private ClaimOptions checked(ClaimOptions options) {
    if (keeper.isClosed()) {
      throw closed();
    }
    if (options.lease().isPresent()) {
      throw new IllegalArgumentException(
          "a claim of a session has the lease of the session, %s"
              .formatted(DurationText.format(length)));
    }
    return options.withLease(length);
  }

  /** Keeps what was granted, and renews what was held already. False if a claim has ended. */
  private boolean keep(List<ClaimResult> results, long sentNanos) {
    List<Term> held = new ArrayList<>();
    for (ClaimResult result : results) {
      for (Claim claim : result.claims()) {
        Term term = new Term(claim, sentNanos, length);
        // Of several claims, some may have been held before: their leases have not begun again.
        if (result instanceof ClaimResult.Granted && result.claims().size() == 1) {
          terms.put(claim.value(), term);
        } else {
          held.add(term);
        }
      }
    }
    boolean isEachHeld = true;
    for (List<Term> some : parts(held)) {
      Reply reply = transport.send(pool.keepAlive(claimsOf(some), length));
      if (reply.isError()) {
        throw reply.failure();
      }
      List<Claim> renewed = renewals(reply);
      renewed.forEach(
          claim -> terms.put(claim.value(), new Term(claim, reply.sentNanos(), length)));
      isEachHeld &= renewed.size() == some.size();
    }
    if (keeper.isClosed()) {
      releaseAll();
      throw closed();
    }
    return isEachHeld;
  }

  /** Whether the value of a claim of this session may be used now. Costs no request. */
  public boolean isHeld(Claim claim) {
    Term term = terms.get(claim.value());
    return term != null
        && term.claim().token() == claim.token()
        && !keeper.isClosed()
        && !isOver(term);
  }

  /** The claims that are held, as they were renewed last, in no particular order. */
  public List<Claim> claims() {
    return terms.values().stream().map(Term::claim).filter(this::isHeld).toList();
  }

  /** Stops keeping a claim alive, and releases it. */
  public ReleaseResult release(Claim claim) {
    terms.computeIfPresent(
        claim.value(), (value, term) -> term.claim().token() == claim.token() ? null : term);
    return pool.release(claim);
  }

  /**
   * Ends the renewals and releases all claims, each with a request. If the server releases none for
   * the {@linkplain MintmarkClient.Builder#deadline deadline of a request}, the rest are not tried.
   * Closing again releases those that were not tried.
   *
   * @throws InterruptedCallException if the thread is interrupted; closing again releases the rest,
   *     also the claim whose release was interrupted
   * @throws MintmarkException if the server did not release one: it holds that one, and those that
   *     were not tried, until the ends of their leases
   */
  @Override
  public void close() {
    keeper.close();
    releaseAll();
  }

  private IllegalStateException closed() {
    return new IllegalStateException("the session of pool \"%s\" is closed".formatted(pool.name()));
  }

  private void releaseAll() {
    Optional<MintmarkException> failure = Optional.empty();
    long endNanos = transport.endNanos();
    for (Term term : List.copyOf(terms.values())) {
      Claim claim = term.claim();
      try {
        if (terms.remove(claim.value(), term)) {
          ReleaseResult ignored = pool.release(claim.value(), claim.token(), endNanos);
          endNanos = transport.endNanos();
        }
      } catch (InterruptedCallException e) {
        terms.put(claim.value(), term);
        throw e;
      } catch (MintmarkException e) {
        failure.ifPresent(e::addSuppressed);
        failure = Optional.of(e);
        if (endNanos - keeper.nanos() <= 0) {
          break;
        }
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private void run() throws InterruptedException {
    while (!keeper.isClosed()) {
      keeper.sleep(length.toNanos() / Term.RENEWALS_PER_LEASE);
      renew(List.copyOf(terms.values()));
    }
  }

  /** Returns when each claim is renewed or lost. */
  private void renew(List<Term> all) throws InterruptedException {
    for (List<Term> some : parts(all)) {
      renewPart(some);
    }
  }

  private void renewPart(List<Term> all) throws InterruptedException {
    List<Term> due = all;
    while (!due.isEmpty()) {
      Optional<RuntimeException> failure = tryRenew(due);
      if (failure.isEmpty()) {
        return;
      }
      due.stream()
          .filter(this::isOver)
          .forEach(term -> lose(term, LeaseLoss.Reason.NOT_RENEWED, failure));
      due = due.stream().filter(this::isKept).toList();
      if (!due.isEmpty()) {
        keeper.sleep(Math.min(Term.PAUSE_MAX.toNanos(), firstEnd(due) - keeper.nanos()));
      }
    }
  }

  /** Returns why nothing was renewed; empty if each claim is renewed or lost. */
  private Optional<RuntimeException> tryRenew(List<Term> due) {
    try {
      Reply reply = transport.send(pool.keepAlive(claimsOf(due), length), firstEnd(due));
      if (reply.isError()) {
        return Optional.of(reply.failure());
      }
      Map<String, Claim> renewed = new LinkedHashMap<>();
      renewals(reply).forEach(claim -> renewed.put(claim.value(), claim));
      for (Term term : due) {
        Claim claim = renewed.get(term.claim().value());
        if (claim != null && claim.token() == term.claim().token()) {
          boolean unused =
              terms.replace(claim.value(), term, term.renewed(claim, reply.sentNanos()));
        } else {
          lose(term, LeaseLoss.Reason.NOT_HELD, Optional.empty());
        }
      }
      return Optional.empty();
    } catch (Throwable e) {
      // Of the supplier of keys too: the next key may be right.
      return Optional.of(keeper.failure(e));
    }
  }

  /** Not if it was released, or claimed anew, meanwhile. */
  private void lose(Term term, LeaseLoss.Reason reason, Optional<RuntimeException> cause) {
    if (!keeper.isClosed() && terms.remove(term.claim().value(), term)) {
      keeper.tell(() -> onLoss.accept(new LeaseLoss(term.claim(), reason, cause)));
    }
  }

  private boolean isKept(Term term) {
    return term.equals(terms.get(term.claim().value()));
  }

  private boolean isOver(Term term) {
    return term.endNanos() - keeper.nanos() <= 0;
  }

  private long firstEnd(List<Term> some) {
    long now = keeper.nanos();
    return now + some.stream().mapToLong(term -> term.endNanos() - now).min().orElse(0);
  }

  private static List<Claim> claimsOf(List<Term> some) {
    return some.stream().map(Term::claim).toList();
  }

  private static List<Claim> renewals(Reply reply) {
    return reply.read(json -> json.objects("renewed").stream().map(ClaimJson::claim).toList());
  }

  private static List<List<Term>> parts(List<Term> all) {
    List<List<Term>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); from += CLAIMS_A_REQUEST) {
      parts.add(all.subList(from, Math.min(all.size(), from + CLAIMS_A_REQUEST)));
    }
    return parts;
  }

  @Override
  public String toString() {
    return "Session[%s, claims=%s]".formatted(pool.name(), terms.size());
  }
}
