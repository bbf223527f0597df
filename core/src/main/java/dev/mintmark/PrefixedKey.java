package dev.mintmark;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text that begins with its type, such as the keys of many services: {@code cus_NffrFeUfNV2Hib},
 * {@code sk_live_...}. The prefix is lower-case letters, digits and underscores, from a letter to
 * the last underscore; the rest is letters, digits and hyphens.
 */
record PrefixedKey(String prefix, String rest) {
  private static final Pattern SHAPE =
      Pattern.compile("(?<prefix>[a-z][a-z0-9_]*_)(?<rest>[A-Za-z0-9-]+)");

  /** Shorter ones are words: {@code user_id}. */
  private static final int OPAQUE_LENGTH_MIN = 8;

  /** Returns the two parts of {@code text}; empty if it lacks one. */
  static Optional<PrefixedKey> tryParse(String text) {
    Matcher matcher = SHAPE.matcher(text);
    return matcher.matches()
        ? Optional.of(new PrefixedKey(matcher.group("prefix"), matcher.group("rest")))
        : Optional.empty();
  }

  /** Returns a reading of the key itself; empty if the rest is more likely a word. */
  Optional<Reading> reading() {
    boolean isWord =
        rest.length() < OPAQUE_LENGTH_MIN || rest.chars().noneMatch(c -> c >= '0' && c <= '9');
    if (isWord) {
      return Optional.empty();
    }
    return Optional.of(
        new Reading(
            "prefixed",
            "the prefix is readable, but the rest is the text form of no known kind",
            OptionalInt.empty(),
            Optional.empty(),
            Map.of(),
            List.of(
                field("prefix", 0, prefix, "the purpose of the key, 8 bits per character"),
                field("rest", prefix.length(), rest, "opaque, 8 bits per character")),
            List.of()));
  }

  private static Reading.Field field(String name, int first, String part, String meaning) {
    int end = first + part.length();
    return new Reading.Field(
        name,
        new Reading.Span(first * Byte.SIZE, end * Byte.SIZE),
        new Reading.Span(first, end),
        new BigInteger(1, part.getBytes(StandardCharsets.US_ASCII)),
        meaning);
  }
}
