package dev.mintmark.app.service;

import dev.mintmark.Entropy;
import dev.mintmark.MintCache;
import dev.mintmark.MintOptions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * All mints of a process, which needs one: a mint knows only its own past.
 *
 * @param cache those of the kinds that a collection can declare
 * @param draft that of draft UUIDv7s
 * @param clock for kinds whose mints have no past
 * @param entropy for the same
 */
public record ProcessMints(
    MintCache cache, DraftUuidMint draft, InstantSource clock, RandomGenerator entropy) {
  /** Returns mints of the present time. */
  public static ProcessMints ofNow() {
    return of(MintCache.of(MintOptions.DEFAULT), InstantSource.system(), false);
  }

  /** Returns mints whose identifiers all carry one time. */
  public static ProcessMints at(Instant time) {
    return of(MintCache.at(time), InstantSource.fixed(time), true);
  }

  private static ProcessMints of(MintCache cache, InstantSource clock, boolean isFixed) {
    RandomGenerator entropy = Entropy.strong();
    return new ProcessMints(cache, new DraftUuidMint(clock, entropy, isFixed), clock, entropy);
  }
}
