package dev.mintmark.operations.doctor;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Keys of numbers, and the sequences that feed them: how far they have come. */
final class NumberKeys {
  private static final double USED_WARNING = 0.6;
  private static final double USED_CRITICAL = 0.9;

  /** JavaScript's {@code Number.MAX_SAFE_INTEGER}: up to it, all whole numbers are exact. */
  private static final long JAVASCRIPT_MAX = (1L << 53) - 1;

  /** A rate over less than this says nothing of the next weeks. */
  private static final Duration GROWTH_SPAN_MIN = Duration.ofDays(1);

  /** A day beyond this is as good as none. */
  private static final double DAYS_MAX = 365_250;

  private final SchemaSnapshot snapshot;
  private final GuardedReader reader;
  private final Map<Column, Long> greatest = new LinkedHashMap<>();
  private final Map<String, Last> last = new HashMap<>();

  /** Those whose greatest value is that of the last analyze. */
  private final Set<Column> estimated = new HashSet<>();

  /** The last number of a sequence, and whether it was given. */
  private record Last(long value, boolean called) {
    long next(long increment) {
      return called ? value + increment : value;
    }
  }

  /** Numbers a day, and how that is known. */
  private record Growth(double perDay, String source) {}

  private NumberKeys(SchemaSnapshot snapshot, GuardedReader reader) {
    this.snapshot = snapshot;
    this.reader = reader;
  }

  static NumberKeys read(SchemaSnapshot snapshot, GuardedReader reader) throws SQLException {
    NumberKeys keys = new NumberKeys(snapshot, reader);
    keys.readGreatest();
    keys.readLast();
    return keys;
  }

  private void readGreatest() throws SQLException {
    Map<Column, Probe> wanted = new LinkedHashMap<>();
    for (Column column : snapshot.columns()) {
      boolean fed = snapshot.sequenceOf(column).isPresent();
      if (!column.isNumber() || (column.reference() && !fed)) {
        continue;
      }
      if (!fed && !isKey(column)) {
        estimate(column);
        continue;
      }
      Optional<String> obstacle = column.obstacle();
      if (obstacle.isPresent()) {
        reader.skip("values of " + column.object(), obstacle.get());
      } else if (column.leads()) {
        wanted.put(column, Probe.greatest(column));
      }
    }
    reader
        .look(wanted)
        .forEach((column, texts) -> greatest.put(column, Long.valueOf(texts.get(0))));
  }

  /**
   * Takes the greatest value of a key that no index begins with from the statistics: a part of a
   * composite key, or a column that is named like an id and has no value twice.
   */
  private void estimate(Column column) {
    Optional<Statistics> statistics = column.statistics();
    boolean isPart = column.primary() || column.unique();
    if (isPart && statistics.isEmpty() && column.table().rows() > 0) {
      reader.skip(
          "values of " + column.object(),
          column
              .obstacle()
              .orElse("no index begins with it, and it has no statistics: run analyze"));
    }
    if (isPart || (column.isNamedLikeId() && statistics.filter(Statistics::isUnique).isPresent())) {
      statistics
          .flatMap(Statistics::greatest)
          .ifPresent(
              value -> {
                greatest.put(column, Long.valueOf(value));
                estimated.add(column);
              });
    }
  }

  private void readLast() throws SQLException {
    Map<String, Probe> wanted = new LinkedHashMap<>();
    for (Sequence sequence : snapshot.sequences()) {
      if (sequence.readable()) {
        wanted.put(sequence.shown(), Probe.last(sequence));
      } else {
        reader.skip(sequence.shown(), "this role has no SELECT on it");
      }
    }
    reader
        .look(wanted)
        .forEach(
            (name, texts) ->
                last.put(
                    name, new Last(Long.parseLong(texts.get(0)), texts.get(1).equals("true"))));
  }

  private static boolean isKey(Column column) {
    return column.uniqueAlone() || (column.primary() && column.leads());
  }

  /** How far a key of numbers has come; empty where that is not known. */
  OptionalLong used(Column column) {
    long used = greatest.getOrDefault(column, 0L);
    Optional<Last> given =
        snapshot.sequenceOf(column).filter(Sequence::ascends).map(s -> last.get(s.shown()));
    used = Math.max(used, given.map(Last::value).orElse(0L));
    return used == 0 ? OptionalLong.empty() : OptionalLong.of(used);
  }

  List<Finding> findings() throws SQLException {
    List<Finding> findings = new ArrayList<>();
    for (Column column : snapshot.columns()) {
      if (column.isNumber()
          && (greatest.containsKey(column) || snapshot.sequenceOf(column).isPresent())) {
        runsOut(column).ifPresent(findings::add);
        beyondJavaScript(column).ifPresent(findings::add);
      }
    }
    for (Sequence sequence : snapshot.sequences()) {
      if (sequence.column().isEmpty()) {
        runsOut(sequence).ifPresent(findings::add);
      } else {
        width(sequence, sequence.column().get()).ifPresent(findings::add);
      }
    }
    findings.addAll(behind());
    return findings;
  }

  private Optional<Finding> runsOut(Column column) throws SQLException {
    Optional<Sequence> sequence = snapshot.sequenceOf(column).filter(Sequence::ascends);
    OptionalLong used = used(column);
    if (used.isEmpty() || sequence.map(Sequence::cycles).orElse(false)) {
      return Optional.empty();
    }
    long typeMax = column.type().max();
    long max = sequence.filter(s -> !s.fed()).map(s -> Math.min(typeMax, s.max())).orElse(typeMax);
    double share = (double) used.getAsLong() / max;
    if (share < USED_WARNING) {
      return Optional.empty();
    }
    String what =
        max < typeMax
            ? "the maximum of sequence " + sequence.map(Sequence::shown).orElse("")
            : column.type().label();
    Optional<Growth> growth = growth(column, sequence);
    Optional<LocalDate> end = growth.flatMap(rate -> end(max - used.getAsLong(), rate.perDay()));
    String rate =
        growth
            .map(
                known ->
                    "; at %s a day (%s) %s"
                        .formatted(
                            Words.number(Math.round(known.perDay())),
                            known.source(),
                            end.map(day -> "they last until " + day)
                                .orElse("they last a thousand years")))
            .orElse("; no rate is known");
    return Optional.of(
        new Finding(
            Check.KEY_RUNS_OUT,
            share < USED_CRITICAL ? Severity.WARNING : Severity.CRITICAL,
            column.object(),
            "%s of %s used%s, %s, the end of %s%s"
                .formatted(
                    Words.number(used.getAsLong()),
                    Words.number(max),
                    estimated.contains(column) ? " at the last analyze" : "",
                    Words.share(share),
                    what,
                    rate),
            max < typeMax
                ? "raise the maximum: alter sequence %s as %s maxvalue %s"
                    .formatted(
                        sequence.map(Sequence::shown).orElse(""), column.type().sql(), typeMax)
                : "make it bigint, with every column that refers to it: declare it in mintmark.yaml"
                    + " and see mintmark migrate plan",
            OptionalLong.empty(),
            end));
  }

  private Optional<Finding> runsOut(Sequence sequence) {
    Last given = last.get(sequence.shown());
    if (given == null || !sequence.ascends() || sequence.cycles() || sequence.fed()) {
      return Optional.empty();
    }
    double share = (double) given.value() / sequence.max();
    if (share < USED_WARNING) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.of(
            Check.KEY_RUNS_OUT,
            share < USED_CRITICAL ? Severity.WARNING : Severity.CRITICAL,
            sequence.shown(),
            "%s of %s used, %s, the maximum of the sequence; no rate is known"
                .formatted(
                    Words.number(given.value()), Words.number(sequence.max()), Words.share(share)),
            sequence.max() == Long.MAX_VALUE
                ? "begin again at numbers that are no longer used: no sequence counts further"
                : "raise its maximum, once what takes its numbers can hold greater ones: alter"
                    + " sequence %s as bigint no maxvalue".formatted(sequence.shown())));
  }

  /** From rows with their time, else from the server's count of inserted rows. */
  private Optional<Growth> growth(Column column, Optional<Sequence> sequence) throws SQLException {
    Optional<Growth> counted = counted(column, sequence);
    if (!column.leads() || column.obstacle().isPresent()) {
      return counted;
    }
    Map<Column, Probe> wanted = new LinkedHashMap<>();
    snapshot.columns().stream()
        .filter(c -> c.table().equals(column.table()) && c.isTime() && c.isNamedLikeCreation())
        .filter(c -> c.obstacle().isEmpty())
        .findFirst()
        .ifPresent(created -> wanted.put(created, Probe.pace(column, created)));
    for (var read : reader.look(wanted).entrySet()) {
      List<String> pace = read.getValue();
      if (pace.size() == 4) {
        long numbers = Long.parseLong(pace.get(0)) - Long.parseLong(pace.get(2));
        long seconds = Long.parseLong(pace.get(1)) - Long.parseLong(pace.get(3));
        if (seconds >= GROWTH_SPAN_MIN.toSeconds() && numbers > 0) {
          return Optional.of(
              new Growth(
                  numbers * 86_400.0 / seconds, "the last tenth by " + read.getKey().shown()));
        }
      }
    }
    return counted;
  }

  private Optional<Growth> counted(Column column, Optional<Sequence> sequence) {
    long rows = column.table().inserted();
    return snapshot
        .countedSince()
        .filter(since -> rows > 0)
        .filter(since -> !since.plus(GROWTH_SPAN_MIN).isAfter(snapshot.now()))
        .map(
            since ->
                new Growth(
                    rows
                        * (double) sequence.map(Sequence::increment).orElse(1L)
                        * 86_400
                        / ChronoUnit.SECONDS.between(since, snapshot.now()),
                    "rows inserted since " + day(since)));
  }

  private Optional<LocalDate> end(long left, double perDay) {
    double days = left / perDay;
    return days > DAYS_MAX
        ? Optional.empty()
        : Optional.of(day(snapshot.now()).plusDays((long) days));
  }

  private static LocalDate day(Instant time) {
    return LocalDate.ofInstant(time, ZoneOffset.UTC);
  }

  private Optional<Finding> beyondJavaScript(Column column) {
    OptionalLong used = used(column);
    if (column.reference() || used.orElse(0) <= JAVASCRIPT_MAX) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.of(
            Check.BEYOND_JAVASCRIPT,
            Severity.WARNING,
            column.object(),
            "the greatest value is %s, beyond 2^53-1 (%s): a JavaScript client reads another number"
                .formatted(used.getAsLong(), JAVASCRIPT_MAX),
            "send it as a string in JSON"));
  }

  private static Optional<Finding> width(Sequence sequence, Column column) {
    if (!column.isNumber()
        || !sequence.ascends()
        || sequence.fed()
        || sequence.cycles()
        || sequence.max() == column.type().max()) {
      return Optional.empty();
    }
    long typeMax = column.type().max();
    boolean before = sequence.max() < typeMax;
    return Optional.of(
        Finding.of(
            Check.SEQUENCE_WIDTH,
            before ? Severity.WARNING : Severity.NOTICE,
            sequence.shown(),
            "it ends at %s, its column %s (%s) at %s"
                .formatted(
                    Words.number(sequence.max()),
                    column.object(),
                    column.type().label(),
                    Words.number(typeMax)),
            "alter sequence %s as %s maxvalue %s"
                .formatted(sequence.shown(), column.type().sql(), typeMax)));
  }

  private List<Finding> behind() throws SQLException {
    Map<Sequence, Probe> wanted = new LinkedHashMap<>();
    for (Sequence sequence : snapshot.sequences()) {
      Last given = last.get(sequence.shown());
      sequence
          .column()
          .filter(column -> given != null && sequence.ascends() && !sequence.fed())
          .filter(Column::leads)
          .filter(column -> greatest.getOrDefault(column, Long.MIN_VALUE) >= next(sequence))
          .ifPresent(column -> wanted.put(sequence, Probe.presence(column, next(sequence))));
    }
    List<Finding> findings = new ArrayList<>();
    reader
        .look(wanted)
        .forEach(
            (sequence, texts) ->
                sequence
                    .column()
                    .flatMap(column -> behind(sequence, column, texts.get(0).equals("true")))
                    .ifPresent(findings::add));
    return findings;
  }

  private long next(Sequence sequence) {
    Last given = last.get(sequence.shown());
    return given == null ? Long.MAX_VALUE : given.next(sequence.increment());
  }

  /** A sequence that cycles is behind most of the time, which is no fault. */
  private Optional<Finding> behind(Sequence sequence, Column column, boolean taken) {
    boolean fails = taken && column.uniqueAlone();
    if (sequence.cycles() && !fails) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.of(
            Check.SEQUENCE_BEHIND,
            fails ? Severity.CRITICAL : Severity.WARNING,
            column.object(),
            "sequence %s gives %s next, the greatest value there is %s%s"
                .formatted(
                    sequence.shown(),
                    Words.number(next(sequence)),
                    Words.number(greatest.getOrDefault(column, 0L)),
                    fails ? ": the next insert fails" : ""),
            sequence.cycles()
                ? "delete rows before the sequence, which cycles, gives their numbers again"
                : "select setval('%s', (select max(%s) from %s))"
                    .formatted(
                        sequence.shown().replace("'", "''"),
                        column.shown(),
                        column.table().shown())));
  }
}
