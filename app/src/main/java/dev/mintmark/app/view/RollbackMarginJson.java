package dev.mintmark.app.view;

import dev.mintmark.operations.migrate.MigrationStatus.LimitStatus;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How many values are left before rollback ends, as JSON. Values are text: they may pass 2^53.
 *
 * @param nearEnd whether less than a tenth of the values is left
 * @param unknown why it could not be read; null if it was
 */
record RollbackMarginJson(
    String column,
    @Nullable String greatest,
    String last,
    @Nullable String left,
    boolean nearEnd,
    @Nullable String unknown) {
  static RollbackMarginJson of(LimitStatus limit) {
    return new RollbackMarginJson(
        limit.column(),
        text(limit.greatest()),
        Long.toString(limit.last()),
        text(limit.left()),
        limit.isNearEnd(),
        limit.unknown().orElse(null));
  }

  private static @Nullable String text(OptionalLong value) {
    return value.isPresent() ? Long.toString(value.getAsLong()) : null;
  }
}
