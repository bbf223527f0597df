package dev.mintmark.app.service;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.LabelMatch;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which labels a request searches for, and labels as one text: {@code KEY:VALUE}. */
public final class LabelCriterion {
  private LabelCriterion() {}

  /** The parts of {@code KEY:VALUE}. */
  public record Label(String key, String value) {
    /**
     * Reads a label. The value is what follows the first colon, and may be empty.
     *
     * @param name how the text is given, for the message
     * @throws IllegalArgumentException if there is no colon
     */
    public static Label parse(String name, String text) {
      int colon = text.indexOf(':');
      if (colon < 0) {
        throw new IllegalArgumentException(
            "%s %s: expected KEY:VALUE".formatted(name, Quoted.of(text)));
      }
      return new Label(text.substring(0, colon), text.substring(colon + 1));
    }
  }

  /**
   * Returns what is searched for; empty if neither a label nor a prefix is given.
   *
   * @param name how a label is given, as {@code label} or {@code --label}
   * @param label a key and a value
   * @param prefix a key and the beginning of a value, which may be empty
   * @throws IllegalArgumentException if both are given, or one is malformed
   */
  public static Optional<LabelMatch> of(
      String name, @Nullable String label, @Nullable String prefix) {
    String prefixName = name + (name.startsWith("-") ? "-prefix" : "_prefix");
    if (label != null && prefix != null) {
      throw new IllegalArgumentException("expected " + name + " or " + prefixName + ", not both");
    }
    if (label != null) {
      Label exact = Label.parse(name, label);
      return Optional.of(LabelMatch.exactly(exact.key(), exact.value()));
    }
    return Optional.ofNullable(prefix)
        .map(text -> Label.parse(prefixName, text))
        .map(start -> LabelMatch.startingWith(start.key(), start.value()));
  }
}
