package dev.mintmark;

import java.util.Optional;

/**
 * Regular expressions of canonical texts: those of ECMA-262 and {@link java.util.regex.Pattern}
 * alike, without anchors and without an alternative at the top level.
 */
final class TextPattern {
  private TextPattern() {}

  /** Empty if the texts have no common form. */
  static Optional<String> of(KindType<?> type) {
    if (type instanceof KindType.Ulids) {
      return Optional.of("[0-7][0-9A-HJKMNP-TV-Z]{25}");
    }
    if (type instanceof KindType.AnyUuids) {
      return Optional.of("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    }
    if (type instanceof KindType.TypeIds) {
      return Optional.of(type.textPrefix() + "[0-7][0-9a-hjkmnp-tv-z]{25}");
    }
    if (type instanceof KindType.Snowflakes) {
      return Optional.of("(?:0|[1-9][0-9]{0,19})");
    }
    if (type instanceof KindType.Sequences sequences) {
      int width = Math.max(sequences.format.width(), 1);
      return Optional.of(
          "%s(?:[0-9]{%d}|[1-9][0-9]{%d,18})".formatted(type.textPrefix(), width, width));
    }
    return Optional.empty();
  }
}
