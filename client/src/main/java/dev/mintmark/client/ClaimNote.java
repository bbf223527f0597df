package dev.mintmark.client;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What people write about a claim: labels, a DNS name and a description. The server checks the
 * limits.
 *
 * @param labels at most 16; a key has 1 to 64 characters, without {@code :}, and a value at most
 *     256, neither with control characters
 * @param dnsName at most 255 characters
 * @param description 1 to 1,000 characters, without control characters
 */
public record ClaimNote(
    SortedMap<String, String> labels, Optional<String> dnsName, Optional<String> description) {
  /** Nothing is written about the claim. */
  public static final ClaimNote NONE = of(Map.of());

  public ClaimNote {
    labels.forEach(
        (key, value) -> {
          Names.checkCharacters("label", key);
          Names.checkCharacters("value of a label", value);
        });
    dnsName.ifPresent(text -> Names.checkCharacters("dns name", text));
    description.ifPresent(text -> Names.checkCharacters("description", text));
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /** Labels alone. */
  public static ClaimNote of(Map<String, String> labels) {
    return new ClaimNote(new TreeMap<>(labels), Optional.empty(), Optional.empty());
  }

  /** The same with a DNS name. */
  public ClaimNote withDnsName(String dnsName) {
    return new ClaimNote(labels, Optional.of(dnsName), description);
  }

  /** The same with a description. */
  public ClaimNote withDescription(String description) {
    return new ClaimNote(labels, dnsName, Optional.of(description));
  }

  /** Whether nothing is written. */
  public boolean isEmpty() {
    return labels.isEmpty() && dnsName.isEmpty() && description.isEmpty();
  }
}
