package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.FreePage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of free values as JSON.
 *
 * @param next the {@code after} of the next page; null for the last page
 */
public record FreeValuesJson(List<String> values, @Nullable String next) {
  public static FreeValuesJson of(FreePage page) {
    return new FreeValuesJson(page.values(), page.next().orElse(null));
  }
}
