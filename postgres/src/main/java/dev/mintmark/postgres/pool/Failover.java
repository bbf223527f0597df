package dev.mintmark.postgres.pool;

import dev.mintmark.PoolSpec.AfterFailover;
import java.time.Instant;
import java.util.Optional;

/**
 * The database has begun another history: another server has taken over, or it went back to an
 * earlier state. Claims that were acknowledged shortly before may be lost there.
 *
 * @param timelineBefore the timeline that was known before, as in the names of WAL files: eight
 *     hexadecimal digits; empty if the server does not say
 * @param timeline the present timeline
 * @param wentBack whether something is lost for certain: the timeline, a token or an epoch that was
 *     seen is not there any more
 */
public record Failover(
    Optional<String> timelineBefore, Optional<String> timeline, boolean wentBack) {

  /**
   * What was done with a pool after a failover, before it grants values again.
   *
   * @param pool the pool's name
   * @param conduct what was done: as declared, or what a database that went back requires
   * @param restUntil until when free values rest, with {@link AfterFailover#QUARANTINE}
   */
  public record Settled(String pool, AfterFailover conduct, Optional<Instant> restUntil) {}

  /**
   * Grants of a {@linkplain SlicedPool slice} that were answered and cannot be recorded: the
   * database has begun another history that the pool does not trust, or the slice ended while the
   * database did not answer. No renewal or release finds these claims. Their clients hold the
   * values until the end of their leases; no other client gets a value earlier.
   *
   * @param pool the pool's name
   * @param grants how many
   */
  public record Dropped(String pool, long grants) {}

  /** Is told of failovers, by the threads that find them. It should be short, and not throw. */
  public interface Listener {
    /**
     * This instance has found that the database has begun another history. Each instance that is
     * running finds it.
     */
    void failedOver(Failover failover);

    /** This instance has settled a pool. Of several instances one does. */
    void settled(Settled settled);

    /** The slice of this instance has ended, and grants of it are not recorded. */
    default void dropped(Dropped dropped) {}
  }
}
