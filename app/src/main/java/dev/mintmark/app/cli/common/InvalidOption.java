package dev.mintmark.app.cli.common;

import dev.mintmark.operations.migrate.InvalidValues;
import picocli.CommandLine.Option;

/** What becomes of keys that are no identifiers. */
public final class InvalidOption {
  @Option(
      names = "--invalid",
      paramLabel = "HOW",
      defaultValue = "refuse",
      description =
          "What becomes of texts in a key that are no identifiers: refuse to apply the plan, normalise"
              + " those that are only written otherwise, or quarantine: the others get an identifier of"
              + " their own, and their text is kept. Default: ${DEFAULT-VALUE}")
  public InvalidValues values;
}
