package dev.mintmark;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The mints that a process shares: one for each kind and settings, and kept, because a mint knows
 * only its own past. Types of one kind share it: two mints of one node would make the same
 * Snowflakes. So a process needs one cache.
 *
 * <p>Safe in any number of threads, virtual ones among them.
 *
 * <pre>{@code
 * MintCache mints = MintCache.of(MintOptions.DEFAULT);
 * mints.mint(IdType.typeIds("user"), MintSettings.NONE).mint();
 * mints.mint(IdType.snowflakes(), MintSettings.NONE.withNode(7)).mint();
 * }</pre>
 */
public final class MintCache {
  private final MintOptions options;
  private final Map<Key, Mint<ColumnValue>> mints = new ConcurrentHashMap<>();

  /** What two mints of one process may not have in common. */
  private record Key(Object type, MintSettings settings) {}

  private MintCache(MintOptions options) {
    this.options = options;
  }

  /** Returns an empty cache, whose mints have these options. */
  public static MintCache of(MintOptions options) {
    return new MintCache(options);
  }

  /**
   * Returns an empty cache of mints whose identifiers all carry one time. A mint fails with a
   * {@link MintException} if that time has no room for another identifier.
   */
  public static MintCache at(Instant time) {
    return of(
        MintOptions.DEFAULT.withClock(InstantSource.fixed(time)).withClockPolicy(ClockPolicy.FAIL));
  }

  /**
   * Returns a mint of a type. It shares its past with all mints of the same kind and settings that
   * this cache returned before.
   *
   * @throws IllegalArgumentException as {@link Mint#of(IdType, MintSettings, MintOptions)} throws
   *     it
   */
  public <T> Mint<T> mint(IdType<T> type, MintSettings settings) {
    MintSettings declared = type.declared(settings);
    return type.mint(
        kept ->
            mints.computeIfAbsent(
                new Key(kept.mintKey(), declared), key -> kept.newMint(declared, options)));
  }
}
