package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Contended;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.util.List;
import java.util.function.IntFunction;

/** What the answers of claims mean on a machine that may stall for seconds. */
final class ClaimResults {
  private static final int ATTEMPTS_MAX = 20;

  private ClaimResults() {}

  /**
   * Returns the claims that the client holds. Also a new client may be answered that it holds a
   * value already: a claim that is not answered within two seconds is sent again, and the first
   * answer counts.
   */
  static List<Claim> held(ClaimResult result) {
    if (result instanceof AlreadyHeld held) {
      return held.claims();
    }
    return result instanceof Granted granted ? granted.claims() : List.of();
  }

  /** Returns the values that the clients hold, each as often as it was answered. */
  static List<String> values(List<ClaimResult> results) {
    return results.stream().flatMap(result -> held(result).stream()).map(Claim::value).toList();
  }

  /** Asks again for as long as a claim gives up waiting, as it does after two seconds. */
  static ClaimResult decided(Pool pool, ClaimRequest request, ClaimResult first) {
    return first instanceof Contended ? decided(attempt -> pool.claim(request)) : first;
  }

  /** Begins again if the claim gave up before what it waits for had happened. */
  static ClaimResult decided(IntFunction<ClaimResult> attempts) {
    ClaimResult result = attempts.apply(1);
    for (int attempt = 2; attempt <= ATTEMPTS_MAX && result instanceof Contended; attempt++) {
      result = attempts.apply(attempt);
    }
    return result;
  }
}
