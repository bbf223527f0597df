package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.Failover;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was restored.
 *
 * @param createdAt when the backup was made
 * @param pools what was done with each pool that did not just go on
 */
public record RestoreJson(
    String file,
    String data,
    String createdAt,
    int tables,
    long rows,
    List<SettledPoolJson> pools) {
  /**
   * What was done with a pool.
   *
   * @param conduct {@code trust}, {@code quarantine} or {@code stop}
   */
  public record SettledPoolJson(String pool, String conduct, @Nullable Instant restUntil) {
    public static SettledPoolJson of(Failover.Settled settled) {
      return new SettledPoolJson(
          settled.pool(), settled.conduct().label(), settled.restUntil().orElse(null));
    }
  }
}
