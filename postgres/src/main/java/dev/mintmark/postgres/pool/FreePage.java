package dev.mintmark.postgres.pool;

import java.util.List;
import java.util.Optional;

/**
 * Values of a pool that were free when the page was read. It is a snapshot: a value may have been
 * claimed since, so a client that picks one {@linkplain ClaimRequest#withValue claims it by name}
 * and may get {@link ClaimResult.ValueTaken}.
 *
 * @param values in the order of the pool's positions
 * @param next the {@code after} of the next page; empty if all values were looked at. A page may
 *     have few values, or none, and a next one
 */
public record FreePage(List<String> values, Optional<String> next) {
  public FreePage {
    values = List.copyOf(values);
  }
}
