package dev.mintmark.app.view;

import dev.mintmark.app.transfer.ImportFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request to import values that are in use, as JSON.
 *
 * @param content the text of the file
 * @param format the format; null: it is recognized by the heading
 * @param apply whether values are claimed; otherwise the response is a plan
 * @param skipBad whether values are claimed although other lines are rejected
 */
public record ImportRequestJson(
    @Nullable String content,
    @Nullable String format,
    @Nullable Boolean apply,
    @Nullable Boolean skipBad) {
  /**
   * Returns the text of the file.
   *
   * @throws IllegalArgumentException if it is missing
   */
  public String requireContent() {
    if (content == null) {
      throw new IllegalArgumentException("content is missing: expected the text of the file");
    }
    return content;
  }

  /**
   * Returns the format, if one is named.
   *
   * @throws IllegalArgumentException if there is none with this name
   */
  public Optional<ImportFormat> namedFormat() {
    return Optional.ofNullable(format).map(ImportFormat::parse);
  }

  /** Whether values are claimed if a plan with so many rejected lines allows it. */
  public boolean isApplied(long rejected) {
    return Boolean.TRUE.equals(apply) && (rejected == 0 || Boolean.TRUE.equals(skipBad));
  }
}
