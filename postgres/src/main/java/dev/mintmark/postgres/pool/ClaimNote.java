package dev.mintmark.postgres.pool;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.ClaimName;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What people write about a claim: labels, a DNS name and a description. Pools give them no
 * meaning. They belong to one claim: the next claim of the value has none, and those of a claim
 * that has ended are kept as long as its history.
 *
 * @param labels at most {@value #LABELS_MAX}; a key has 1 to {@value #KEY_LENGTH_MAX} characters,
 *     without {@code :}, and a value at most {@value #VALUE_LENGTH_MAX}, neither with control
 *     characters
 * @param dnsName at most {@value #DNS_NAME_LENGTH_MAX} characters
 * @param description 1 to {@value #DESCRIPTION_LENGTH_MAX} characters, without control characters
 */
public record ClaimNote(
    SortedMap<String, String> labels, Optional<String> dnsName, Optional<String> description) {
  /** The most labels of a claim. */
  public static final int LABELS_MAX = 16;

  /** The longest key of a label, in characters. */
  public static final int KEY_LENGTH_MAX = 64;

  /** The longest value of a label, in characters. */
  public static final int VALUE_LENGTH_MAX = 256;

  /** The longest DNS name, in characters. */
  public static final int DNS_NAME_LENGTH_MAX = 255;

  /** The longest description, in characters. */
  public static final int DESCRIPTION_LENGTH_MAX = 1_000;

  /** Nothing is written about the claim. */
  public static final ClaimNote NONE = of(Map.of());

  /** Labels of letters, digits, hyphens and underscores; the first may be an asterisk. */
  private static final Pattern DNS_NAME =
      Pattern.compile("(?:[0-9A-Za-z_-]{1,63}|\\*)(?:\\.[0-9A-Za-z_-]{1,63})*\\.?");

  /**
   * @throws IllegalArgumentException if a limit is exceeded or a text is malformed
   */
  public ClaimNote {
    if (labels.size() > LABELS_MAX) {
      throw new IllegalArgumentException(
          "%s labels: expected at most %s".formatted(labels.size(), LABELS_MAX));
    }
    labels.forEach(
        (key, value) -> {
          checkKey(key);
          checkValue(key, value);
        });
    dnsName.ifPresent(ClaimNote::checkDnsName);
    description.ifPresent(text -> check("description", text, 1, DESCRIPTION_LENGTH_MAX));
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /** Labels alone. */
  public static ClaimNote of(Map<String, String> labels) {
    return new ClaimNote(new TreeMap<>(labels), Optional.empty(), Optional.empty());
  }

  /** The same with a DNS name; empty: without one. */
  public ClaimNote withDnsName(Optional<String> dnsName) {
    return new ClaimNote(labels, dnsName, description);
  }

  /** The same with a description; empty: without one. */
  public ClaimNote withDescription(Optional<String> description) {
    return new ClaimNote(labels, dnsName, description);
  }

  /** Whether nothing is written. */
  public boolean isEmpty() {
    return labels.isEmpty() && dnsName.isEmpty() && description.isEmpty();
  }

  static void checkKey(String key) {
    check("label", key, 1, KEY_LENGTH_MAX);
    if (key.indexOf(':') >= 0) {
      throw new IllegalArgumentException("label " + Quoted.of(key) + ": a key has no colon");
    }
  }

  static void checkValue(String key, String value) {
    check("value of label " + Quoted.of(key) + ",", value, 0, VALUE_LENGTH_MAX);
  }

  private static void checkDnsName(String name) {
    if (name.length() > DNS_NAME_LENGTH_MAX || !DNS_NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          ("dns name %s: expected at most %s characters, in labels of letters, digits, hyphens and"
                  + " underscores with dots between them")
              .formatted(Quoted.of(name), DNS_NAME_LENGTH_MAX));
    }
  }

  private static void check(String what, String text, int min, int max) {
    if (text.length() < min || text.length() > max) {
      throw new IllegalArgumentException(
          "%s %s: expected %s to %s characters, got %s"
              .formatted(what, Quoted.of(text), min, max, text.length()));
    }
    ClaimName.checkCharacters(what, text);
  }
}
