package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.QuarantinedValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of quarantined values as JSON.
 *
 * @param next the {@code after} of the next page; null for the last page
 */
public record QuarantinePageJson(List<QuarantinedValueJson> values, @Nullable String next) {
  /** The page with these values, of at most {@code limit}. */
  public static QuarantinePageJson of(List<QuarantinedValue> values, int limit) {
    return new QuarantinePageJson(
        values.stream().map(one -> new QuarantinedValueJson(one.value(), one.until())).toList(),
        values.size() == limit ? values.get(limit - 1).value() : null);
  }
}
