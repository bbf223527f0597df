package dev.mintmark.postgres.pool;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** What pools and slices do with the answer to a claim that may not be there yet. */
final class PendingClaim {
  private PendingClaim() {}

  /** Waits for the answer, and fails as it fails. */
  static ClaimResult join(CompletableFuture<ClaimResult> claim) {
    try {
      return claim.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Reports the answer to a listener. */
  static CompletableFuture<ClaimResult> reported(
      ClaimListener.Begun begun, CompletableFuture<ClaimResult> claim) {
    return claim.whenComplete(
        (result, failure) -> {
          if (failure == null) {
            begun.ended(result);
          } else {
            begun.failed(failure);
          }
        });
  }
}
