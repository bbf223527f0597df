package dev.mintmark.app.cli;

import dev.mintmark.app.http.RequestLimits;
import dev.mintmark.postgres.pool.PoolGate.Rate;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code serve} admits of one caller: of a key, or without one of an address. */
final class LimitOptions {
  @Option(
      names = "--rate-limit",
      paramLabel = "RATE",
      description =
          "The most requests of one key, or of one address without a key, as in 500/s: so many at"
              + " once, then evenly. Further ones get 429. Default: no limit")
  @Nullable String rate;

  @Option(
      names = "--concurrency-limit",
      paramLabel = "REQUESTS",
      description =
          "The most requests of one key, or of one address without a key, that are in progress at"
              + " a time. Further ones get 429. Default: no limit")
  @Nullable Integer atOnce;

  /**
   * @throws IllegalArgumentException if one is wrong
   */
  RequestLimits parse() {
    if (atOnce != null && atOnce < 1) {
      throw new IllegalArgumentException(
          "--concurrency-limit is %s: expected 1 or more".formatted(atOnce));
    }
    return new RequestLimits(
        Optional.ofNullable(rate).map(LimitOptions::rate),
        atOnce == null ? OptionalInt.empty() : OptionalInt.of(atOnce));
  }

  private static Rate rate(String text) {
    try {
      return Rate.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--rate-limit: " + e.getMessage(), e);
    }
  }
}
