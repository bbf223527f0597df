package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;
import static dev.mintmark.postgres.internal.Transactions.Bind.bindTime;

import dev.mintmark.DurationText;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.PoolDensity.Part;
import dev.mintmark.postgres.pool.PoolLayout.Place;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where in a pool values are used: what a person looks at when the pool has more values than a list
 * shows. Reads committed rows, and locks nothing. Safe for use by many threads.
 */
public final class PoolSurvey {
  /** The most parts of a density. */
  public static final int PARTS_MAX = 256;

  /** The most samples of a usage. */
  public static final int SAMPLES_MAX = 1_000;

  /** How long the usage of each minute is kept. */
  public static final Duration MINUTES_KEPT = Duration.ofDays(2);

  /** How long the usage of each hour is kept: that of its fullest minute. */
  public static final Duration HOURS_KEPT = Duration.ofDays(400);

  /** The lengths of time that a sample may stand for, unless it stands for all of it. */
  private static final List<Duration> STEPS =
      List.of(
          Duration.ofMinutes(1),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          Duration.ofMinutes(15),
          Duration.ofMinutes(30),
          Duration.ofHours(1),
          Duration.ofHours(2),
          Duration.ofHours(3),
          Duration.ofHours(6),
          Duration.ofHours(12),
          Duration.ofDays(1),
          Duration.ofDays(7),
          Duration.ofDays(30),
          Duration.ofDays(90),
          Duration.ofDays(365));

  /** When a step of each length begins. */
  private static final Instant STEPS_BEGIN = Instant.parse("2001-01-01T00:00:00Z");

  private static final SqlFile DENSITY = SqlFile.load(PoolSurvey.class, "density");
  private static final SqlFile LAST_CLAIM = SqlFile.load(PoolSurvey.class, "last_claim");
  private static final SqlFile READ_STANDINGS = SqlFile.load(PoolSurvey.class, "read_standings");
  private static final SqlFile USAGE = SqlFile.load(PoolSurvey.class, "usage");
  private static final SqlFile LIST_QUARANTINED =
      SqlFile.load(PoolSurvey.class, "list_quarantined");

  private final PoolContext context;

  PoolSurvey(PoolContext context) {
    this.context = context;
  }

  /**
   * Counts the values of parts of the pool by state. Takes time in proportion to the values issued
   * in the range, however many values it has. Parts have an equal size, a power of two that is as
   * small as possible; parts of addresses are CIDR blocks. The range is widened to whole parts.
   *
   * @param from the first value of the range; empty for that of the pool
   * @param to the last value of the range; empty for that of the pool
   * @param parts the most parts, 1 to {@value #PARTS_MAX}; a pool with more blocks than that has a
   *     part for each block
   * @throws IllegalArgumentException if the number is out of range, the pool does not have one of
   *     the values, or {@code to} precedes {@code from}
   */
  public PoolDensity density(Optional<String> from, Optional<String> to, int parts) {
    if (parts < 1 || parts > PARTS_MAX) {
      throw new IllegalArgumentException("parts is " + parts + ": expected 1 to " + PARTS_MAX);
    }
    PoolLayout layout = context.reload().layout();
    from.ifPresent(context::requirePlace);
    to.ifPresent(context::requirePlace);
    DensityParts divided = new DensityParts(layout, from, to, parts);
    Map<Integer, Counts> counts = counts(divided.parts());
    List<Part> counted = new ArrayList<>();
    for (int i = 0; i < divided.parts().size(); i++) {
      counted.add(counts.getOrDefault(i, Counts.NONE).of(divided.parts().get(i)));
    }
    return new PoolDensity(divided.partSize(), counted);
  }

  /**
   * Returns the first claim after a value, in the order of {@link Pool#claims}.
   *
   * @param value empty for the first claim of the pool
   * @throws IllegalArgumentException if the pool does not have the value
   */
  public Optional<Claim> heldAfter(Optional<String> value) {
    ClaimFilter after = value.map(ClaimFilter.ALL::withAfter).orElse(ClaimFilter.ALL);
    return new PoolHistory(context).claims(after, 1).stream().findFirst();
  }

  /**
   * Returns the last claim before a value, in the order of {@link Pool#claims}.
   *
   * @throws IllegalArgumentException if the pool does not have the value
   */
  public Optional<Claim> heldBefore(String value) {
    Place before = context.requirePlace(value);
    List<ClaimRow> rows =
        context
            .database()
            .query(
                LAST_CLAIM,
                ClaimRow::read,
                context.poolId(),
                bind("before_block", before.block()),
                bind("before_place", before.place()));
    return known(rows).stream().map(context::toClaim).findFirst();
  }

  /**
   * Lists the quarantined values: the blocks in the order in which they were added, and in each
   * block the values in ascending order. Values that were never issued are not listed while their
   * whole block is quarantined.
   *
   * @param after only values after this one: the last value of the page before
   * @param limit the most values to return, 1 to {@value Pool#PAGE_MAX}
   * @throws IllegalArgumentException if the limit is out of range, or the pool does not have the
   *     value
   */
  public List<QuarantinedValue> quarantined(Optional<String> after, int limit) {
    PoolHistory.checkLimit(limit);
    Place start = after.map(context::requirePlace).orElse(Place.NONE);
    List<QuarantinedPlace> rows =
        context
            .database()
            .query(
                LIST_QUARANTINED,
                QuarantinedPlace::read,
                context.poolId(),
                bind("after_block", start.block()),
                bind("after_place", start.place()),
                bind("limit", limit));
    return known(rows).stream()
        .map(row -> new QuarantinedValue(context.valueAt(row.place), row.until))
        .toList();
  }

  /** A row of quarantine. Its value may be of a block that is read only then. */
  private record QuarantinedPlace(Place place, Instant until) {
    static QuarantinedPlace read(ResultSet row) throws SQLException {
      return new QuarantinedPlace(
          new Place(row.getInt("block_id"), row.getLong("place")),
          ClaimRow.instant(row, "until").orElseThrow());
    }
  }

  /** Returns what was read of the pool. Nothing is also what a pool that is gone has. */
  private <T> List<T> known(List<T> rows) {
    if (rows.isEmpty()) {
      context.checkKnown();
    }
    return rows;
  }

  /**
   * Returns what is in the way of a claim of some values, in their order.
   *
   * @param values at most {@value Pool#PAGE_MAX}, whether the pool has them or not
   * @throws IllegalArgumentException if there are more
   */
  public List<ValueStanding> standings(List<String> values) {
    if (values.size() > Pool.PAGE_MAX) {
      throw new IllegalArgumentException(
          values.size() + " values: expected at most " + Pool.PAGE_MAX);
    }
    PoolLayout layout = context.reload().layout();
    List<Place> places =
        values.stream().map(value -> layout.placeOf(value).orElse(Place.NONE)).toList();
    List<ValueStanding> standings =
        new ArrayList<>(Collections.nCopies(values.size(), ValueStanding.NONE));
    context
        .database()
        .query(
            READ_STANDINGS,
            row -> standings.set(row.getInt("ordinal") - 1, readStanding(row)),
            context.poolId(),
            bind("blocks", places.stream().map(Place::block).toArray(Integer[]::new)),
            bind("places", places.stream().map(Place::place).toArray(Long[]::new)));
    return standings;
  }

  /**
   * Returns how full the pool was, over time. Sweeps record it once a minute ({@link Pools#sweep}),
   * whichever instance runs them. Minutes are kept for {@link #MINUTES_KEPT}, hours for {@link
   * #HOURS_KEPT}; what is older has no sample.
   *
   * @param from the first time
   * @param until the end, exclusive
   * @param samples the most samples to return, 1 to {@value #SAMPLES_MAX}: a sample stands for the
   *     shortest of some lengths of time, from 1 minute to 365 days, with which that many suffice;
   *     if there is none, one sample stands for the whole time
   * @throws IllegalArgumentException if {@code until} does not follow {@code from}, more than
   *     {@link #HOURS_KEPT} lie between them, or the number of samples is out of range
   */
  public PoolUsage usage(Instant from, Instant until, int samples) {
    if (samples < 1 || samples > SAMPLES_MAX) {
      throw new IllegalArgumentException(
          "samples is " + samples + ": expected 1 to " + SAMPLES_MAX);
    }
    Duration length = Duration.between(from, until);
    if (length.compareTo(Duration.ZERO) <= 0 || length.compareTo(HOURS_KEPT) > 0) {
      throw new IllegalArgumentException(
          "usage from %s until %s: expected a time after the first, at most %s later"
              .formatted(from, until, DurationText.format(HOURS_KEPT)));
    }
    // One more, since steps begin at full minutes, hours and days.
    Optional<Duration> found =
        STEPS.stream().filter(one -> length.dividedBy(one) + 1 < samples).findFirst();
    Duration step = found.orElseGet(() -> toFullMinutes(length));
    List<PoolUsage.Sample> read =
        context
            .database()
            .query(
                USAGE,
                PoolSurvey::readSample,
                context.poolId(),
                bindTime("from", Optional.of(from)),
                bindTime("until", Optional.of(until)),
                bind("step_millis", step.toMillis()),
                bindTime("step_begins", Optional.of(found.isPresent() ? STEPS_BEGIN : from)));
    return new PoolUsage(step, known(read));
  }

  private static Duration toFullMinutes(Duration length) {
    return Duration.ofMinutes(length.plusMinutes(1).minusNanos(1).toMinutes());
  }

  private static PoolUsage.Sample readSample(ResultSet row) throws SQLException {
    return new PoolUsage.Sample(
        ClaimRow.instant(row, "at").orElseThrow(),
        count(row, "held"),
        count(row, "quarantined"),
        count(row, "free"),
        count(row, "capacity"));
  }

  private static BigInteger count(ResultSet row, String column) throws SQLException {
    return row.getBigDecimal(column).toBigIntegerExact();
  }

  private static ValueStanding readStanding(ResultSet row) throws SQLException {
    return new ValueStanding(
        true,
        Optional.ofNullable(row.getString("holder")),
        ClaimRow.instant(row, "until"),
        Optional.ofNullable(row.getString("last_client")),
        row.getBoolean("closed"),
        row.getBoolean("excluded"));
  }

  private Map<Integer, Counts> counts(List<DensityParts.Part> parts) {
    List<Integer> numbers = new ArrayList<>();
    List<DensityParts.Range> ranges = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      for (DensityParts.Range range : parts.get(i).ranges()) {
        numbers.add(i);
        ranges.add(range);
      }
    }
    Map<Integer, Counts> counts = new HashMap<>();
    context
        .database()
        .query(
            DENSITY,
            row -> counts.put(row.getInt("part"), Counts.read(row)),
            context.poolId(),
            bind("parts", numbers.toArray(Integer[]::new)),
            bind(
                "blocks", ranges.stream().map(range -> range.block().id()).toArray(Integer[]::new)),
            bind("from", ranges.stream().map(DensityParts.Range::from).toArray(Long[]::new)),
            bind("to", ranges.stream().map(DensityParts.Range::to).toArray(Long[]::new)));
    return counts;
  }

  /** How many values of a part are in which state. */
  private record Counts(
      BigInteger held,
      BigInteger quarantined,
      BigInteger free,
      BigInteger neverIssued,
      BigInteger draining) {
    /** Those of a block that was removed a moment ago. */
    static final Counts NONE =
        new Counts(
            BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO);

    static Counts read(ResultSet row) throws SQLException {
      return new Counts(
          count(row, "held"),
          count(row, "quarantined"),
          count(row, "free"),
          count(row, "never_issued"),
          count(row, "draining"));
    }

    Part of(DensityParts.Part part) {
      BigInteger others = held.add(quarantined).add(free).add(draining);
      return new Part(
          part.declared(),
          part.cidr(),
          part.first(),
          part.last(),
          part.size(),
          held,
          quarantined,
          free,
          neverIssued,
          draining,
          part.size().subtract(others));
    }
  }
}
