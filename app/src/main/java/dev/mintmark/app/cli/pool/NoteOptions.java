package dev.mintmark.app.cli.pool;

import dev.mintmark.Quoted;
import dev.mintmark.app.service.LabelCriterion.Label;
import dev.mintmark.postgres.pool.ClaimNote;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what to write about a claim. */
final class NoteOptions {
  @Option(
      names = "--label",
      paramLabel = "KEY:VALUE",
      description = "A label; may be given up to 16 times.")
  String[] labels = {};

  @Option(names = "--dns-name", paramLabel = "NAME", description = "The DNS name of the value.")
  @Nullable String dnsName;

  @Option(
      names = "--description",
      paramLabel = "TEXT",
      description = "A description of at most 1000 characters.")
  @Nullable String description;

  /**
   * Returns the note.
   *
   * @throws IllegalArgumentException if a limit is exceeded, a text is malformed, or a key is given
   *     twice
   */
  ClaimNote note() {
    Map<String, String> given = new TreeMap<>();
    for (String text : labels) {
      Label label = Label.parse("--label", text);
      if (given.put(label.key(), label.value()) != null) {
        throw new IllegalArgumentException(
            "--label: the key " + Quoted.of(label.key()) + " is given twice");
      }
    }
    return ClaimNote.of(given)
        .withDnsName(Optional.ofNullable(dnsName))
        .withDescription(Optional.ofNullable(description));
  }
}
