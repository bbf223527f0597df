package dev.mintmark.app.cli.common;

import dev.mintmark.operations.migrate.InvalidValues;
import picocli.CommandLine.Option;

/** The option that selects how keys that are not identifiers are handled. */
public final class InvalidOption {
  @Option(
      names = "--invalid",
      paramLabel = "HOW",
      defaultValue = "refuse",
      description =
          "How to handle keys that are not identifiers. refuse: reject the plan. normalise: rewrite"
              + " keys that are only spelled differently, reject the plan for the rest. quarantine:"
              + " normalise, give the rest new identifiers and keep their text. Default:"
              + " ${DEFAULT-VALUE}")
  public InvalidValues values;
}
