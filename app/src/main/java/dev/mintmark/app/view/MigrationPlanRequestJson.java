package dev.mintmark.app.view;

import dev.mintmark.Quoted;
import dev.mintmark.operations.migrate.InvalidValues;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request for a plan.
 *
 * @param invalid how texts that are no identifiers are treated; null: they are refused
 */
public record MigrationPlanRequestJson(@Nullable String invalid) {
  /**
   * Returns how texts are treated that are no identifiers.
   *
   * @throws IllegalArgumentException if there is no such way
   */
  public InvalidValues toInvalidValues() {
    if (invalid == null) {
      return InvalidValues.REFUSE;
    }
    return Arrays.stream(InvalidValues.values())
        .filter(value -> label(value).equals(invalid))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "invalid is %s: expected %s"
                        .formatted(
                            Quoted.of(invalid),
                            Arrays.stream(InvalidValues.values())
                                .map(MigrationPlanRequestJson::label)
                                .collect(Collectors.joining(", ")))));
  }

  /** Returns the name in requests and in the option of the command line. */
  public static String label(InvalidValues invalid) {
    return invalid.name().toLowerCase(Locale.ROOT);
  }
}
