package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.pool.PoolCommand.HeldValue;
import dev.mintmark.postgres.pool.ClaimFilter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is renewed or released: the claim of a value, or all claims of a selection. */
final class ClaimOrSelection {
  @Parameters(index = "0", paramLabel = "POOL", description = "The pool's name.")
  String pool;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "VALUE",
      description = "The value that is held. Without it, options select the claims.")
  @Nullable String value;

  @Option(
      names = "--token",
      paramLabel = "N",
      description = "The token of the claim of VALUE, as shown by pool list --json.")
  @Nullable Long token;

  @Mixin ClaimSelection selection;

  /** Returns the value that is held; empty if claims are selected. */
  Optional<String> value() {
    return Optional.ofNullable(value);
  }

  /**
   * Returns the token of the claim of the value.
   *
   * @throws IllegalArgumentException if it is missing, or claims are selected beside the value
   */
  long requireToken() {
    if (!filter().equals(ClaimFilter.ALL)) {
      throw new IllegalArgumentException("expected VALUE or options that select claims, not both");
    }
    if (token == null) {
      throw new IllegalArgumentException(
          "--token is missing: VALUE requires the token of its claim");
    }
    return token;
  }

  /**
   * Returns the claims that are selected.
   *
   * @throws IllegalArgumentException if none are, or an option applies to VALUE alone
   */
  ClaimFilter requireSelection() {
    ClaimFilter filter = filter();
    if (filter.equals(ClaimFilter.ALL)) {
      throw new IllegalArgumentException(
          "expected VALUE and --token, or a selection: --client, --owner or --label");
    }
    if (token != null) {
      throw new IllegalArgumentException("--token applies to VALUE alone");
    }
    return filter;
  }

  private ClaimFilter filter() {
    return ClaimFilter.ALL
        .withClient(selection.clients())
        .withOwner(selection.owners())
        .withLabel(selection.labels());
  }

  /** Returns why the claim of the value was not changed. */
  String refusal(boolean superseded) {
    return HeldValue.refusal(pool, value, token, superseded);
  }
}
