package dev.mintmark.app.service;

import dev.mintmark.DurationText;
import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.Pool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * A change of the settings of a pool: planned or done.
 *
 * @param before the pool as it was
 * @param after the pool as it is or would be
 */
public record SettingsChange(PoolSpec before, PoolSpec after) {
  /** Every setting, in the order of the documentation. */
  private static final List<Row> ROWS =
      List.of(
          new Row(
              "order",
              pool -> pool.order().name().toLowerCase(Locale.ROOT),
              change ->
                  change.after.order() == PoolSpec.Order.RANDOM
                      ? "Claims get a random free value."
                      : "Claims get the lowest free value."),
          new Row(
              "per_client",
              pool -> Integer.toString(pool.perClient()),
              change ->
                  change.after.perClient() < change.before.perClient()
                      ? "A client that holds more keeps what it holds, and gets no more."
                      : "A client may hold more."),
          new Row(
              "per_owner",
              pool -> pool.perOwner().map(Object::toString).orElse(PoolSettings.NONE),
              change ->
                  change.after.perOwner().isEmpty()
                      ? "Owners may hold any number of values."
                      : "Every claim must name its owner. An owner that holds more keeps what it"
                          + " holds, and gets no more."),
          new Row(
              "sticky",
              pool -> Boolean.toString(pool.sticky()),
              change ->
                  change.after.sticky()
                      ? "A client gets the value that it held last, if that is available."
                      : "A client gets any free value."),
          new Row(
              "lease",
              pool -> durationOrNone(pool.lease()),
              change ->
                  "Claims that are held keep their end. Claims and renewals from now on have the"
                      + " new lease."),
          new Row(
              "quarantine",
              pool -> DurationText.format(pool.quarantine()),
              change -> "Values that are quarantined keep their time."),
          new Row(
              "history",
              pool -> durationOrNone(pool.history()),
              change ->
                  change.deletesHistory()
                      ? "Ended claims that are older are deleted within minutes. That cannot be"
                          + " undone."
                      : "Ended claims are kept longer from now on."),
          new Row(
              "after_failover",
              pool -> pool.afterFailoverOrDefault().label(),
              change -> "Applies from the next failover on."),
          new Row(
              "keep_free",
              pool -> pool.source().map(source -> Long.toString(source.keepFree())).orElse(""),
              change -> "With fewer free values, the pool gets another block."),
          new Row(
              "thresholds",
              pool -> pool.thresholds().toString(),
              change -> "Charts, watches and metrics report these shares."));

  /**
   * A setting that changes.
   *
   * @param name as in JSON
   * @param effect what the change means for claims, in one or two sentences
   */
  public record Setting(String name, String before, String after, String effect) {}

  private record Row(
      String name, Function<PoolSpec, String> text, Function<SettingsChange, String> effect) {
    Optional<Setting> of(SettingsChange change) {
      String before = text.apply(change.before);
      String after = text.apply(change.after);
      return before.equals(after)
          ? Optional.empty()
          : Optional.of(new Setting(name, before, after, effect.apply(change)));
    }
  }

  /**
   * Returns what a change would do, and changes nothing.
   *
   * @throws IllegalArgumentException if a setting is malformed or out of range, or none is given
   */
  public static SettingsChange plan(Pool pool, PoolSettings settings) {
    requireSome(settings);
    return new SettingsChange(pool.spec(), settings.on(pool.spec()));
  }

  /**
   * Changes a pool.
   *
   * @throws IllegalArgumentException if a setting is malformed or out of range, or none is given:
   *     nothing has changed
   */
  public static SettingsChange apply(Pool pool, PoolSettings settings) {
    requireSome(settings);
    AtomicReference<PoolSpec> before = new AtomicReference<>(pool.spec());
    PoolSpec after =
        pool.change(
            spec -> {
              before.set(spec);
              return settings.on(spec);
            });
    return new SettingsChange(Objects.requireNonNull(before.get()), after);
  }

  private static void requireSome(PoolSettings settings) {
    if (settings.isEmpty()) {
      throw new IllegalArgumentException(
          "no setting is given: expected at least one of "
              + String.join(", ", ROWS.stream().map(Row::name).toList()));
    }
  }

  /** The settings that differ, in the order of the documentation. */
  public List<Setting> settings() {
    List<Setting> changed = new ArrayList<>();
    ROWS.forEach(row -> row.of(this).ifPresent(changed::add));
    return changed;
  }

  /** Whether ended claims are deleted because of the change. */
  public boolean deletesHistory() {
    Duration kept = before.history().orElse(Duration.ZERO);
    return after.history().orElse(Duration.ZERO).compareTo(kept) < 0;
  }

  private static String durationOrNone(Optional<Duration> length) {
    return length.map(DurationText::format).orElse(PoolSettings.NONE);
  }
}
