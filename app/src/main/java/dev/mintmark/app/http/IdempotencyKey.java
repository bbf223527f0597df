package dev.mintmark.app.http;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name that a client gives to a request, so that it can repeat it
 * (draft-ietf-httpapi-idempotency-key-header).
 *
 * <pre>
 *   Idempotency-Key: "8e03978e-40d5-43dd-bc93-6894a57f9324"
 * </pre>
 */
final class IdempotencyKey {
  static final String HEADER = "Idempotency-Key";

  /** A text in quotes (RFC 9651 section 3.3.3) or, as many clients send it, without them. */
  private static final Pattern TEXT =
      Pattern.compile("\"([!#-\\[\\]-~]{1,255})\"|([!#-\\[\\]-~]{1,255})");

  private IdempotencyKey() {}

  /**
   * Reads the header.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static Optional<String> parse(@Nullable String header) {
    if (header == null) {
      return Optional.empty();
    }
    Matcher text = TEXT.matcher(header.strip());
    if (!text.matches()) {
      throw new IllegalArgumentException(
          "the header Idempotency-Key is malformed: expected 1 to 255 visible characters of ASCII"
              + " in quotes");
    }
    return Optional.of(text.group(1) == null ? text.group(2) : text.group(1));
  }
}
