package dev.mintmark.operations.doctor;

import dev.mintmark.operations.internal.schema.Names;
import dev.mintmark.postgres.internal.SqlFile;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Defaults that make identifiers, and the ways in which they make bad ones. */
final class Defaults {
  private static final SqlFile FUNCTIONS = SqlFile.load(Defaults.class, "default_functions");

  /** The share of rows with one value from which on it was not minted for each. */
  private static final double SHARED_MIN = 0.01;

  private static final long REWRITTEN_BYTES_MIN = 1L << 30;

  /** What mints are called. */
  private static final Pattern MINT =
      Pattern.compile("(?i).*(?:uuid|ulid|guid|nanoid|ksuid|snowflake)[^.]*");

  /** A call of one, as PostgreSQL writes it. */
  private static final Pattern MINT_CALL =
      Pattern.compile(
          "(?i)(?:(?:\\w+|\"[^\"]+\")\\.)?\"?\\w*(?:uuid|ulid|guid|nanoid|ksuid|snowflake)\\w*\"?\\(.*");

  private final SchemaSnapshot snapshot;
  private final GuardedReader reader;
  private final FunctionBodies bodies;
  private final List<Finding> findings = new ArrayList<>();

  /** A function that defaults call. */
  private record DefaultFunction(
      String shown,
      String signature,
      char volatility,
      String body,
      boolean bodyReadable,
      List<Column> columns) {
    boolean isNamedLikeMint() {
      return MINT.matcher(shown).matches();
    }

    List<String> objects() {
      return columns.stream().map(Column::object).toList();
    }
  }

  private Defaults(SchemaSnapshot snapshot, GuardedReader reader, FunctionBodies bodies) {
    this.snapshot = snapshot;
    this.reader = reader;
    this.bodies = bodies;
  }

  static List<Finding> findings(SchemaSnapshot snapshot, GuardedReader reader) throws SQLException {
    List<DefaultFunction> functions =
        reader.query(
            FUNCTIONS,
            "functions of defaults",
            snapshot.relations(),
            row ->
                new DefaultFunction(
                    row.getString("shown"),
                    row.getString("signature"),
                    row.getString("volatility").charAt(0),
                    row.getString("body"),
                    row.getBoolean("has_readable_body"),
                    Arrays.stream((String[]) row.getArray("columns").getArray())
                        .map(snapshot::column)
                        .flatMap(Optional::stream)
                        .filter(column -> !column.isTime())
                        .toList()));
    Defaults defaults = new Defaults(snapshot, reader, FunctionBodies.read(reader));
    for (DefaultFunction function : functions) {
      defaults.judge(function);
    }
    for (Column column : snapshot.columns()) {
      defaults.judge(column);
    }
    defaults.judgeSizes();
    return defaults.findings;
  }

  private void judge(DefaultFunction function) throws SQLException {
    List<Column> ids = function.columns().stream().filter(Column::isIdentifier).toList();
    if (ids.isEmpty()) {
      return;
    }
    Optional<String> frozen = frozen(function);
    if (frozen.isPresent()) {
      findings.add(
          Finding.of(
              Check.FROZEN_DEFAULT,
              Severity.WARNING,
              function.shown(),
              frozen.get()
                  + " mints from now(), which is constant within a transaction, so identifiers of"
                  + " one transaction have no order; the default of "
                  + Names.shortened(function.objects()),
              MintRemedy.of(ids, reader) + inPlace(function)));
    }
    boolean mints = function.isNamedLikeMint() || ids.stream().anyMatch(Column::uniqueAlone);
    if (mints && function.volatility() != 'v') {
      findings.add(
          Finding.of(
              Check.STABLE_MINT,
              Severity.WARNING,
              function.shown(),
              "declared %s, so one call may serve many rows: a column added with it gives one"
                      .formatted(function.volatility() == 's' ? "stable" : "immutable")
                  + " identifier to all; the default of "
                  + Names.shortened(function.objects()),
              "declare it volatile, and add columns without a default, filling them row by row:"
                  + " alter function %s volatile".formatted(function.signature())));
    }
  }

  /** The other remedy, which leaves the defaults as they are. */
  private static String inPlace(DefaultFunction function) {
    boolean areTexts = function.columns().stream().allMatch(Column::isText);
    boolean areUuids = function.columns().stream().allMatch(Column::isUuid);
    return (areTexts || areUuids)
            && OwnMints.isReplaceable(function.shown(), function.signature(), function.body())
        ? ", or replace the function in place: "
            + OwnMints.command(function.shown())
            + (areUuids ? ":uuid" : "")
        : "";
  }

  /** What takes the time at which the transaction began: the function, or one that it calls. */
  private Optional<String> frozen(DefaultFunction function) {
    if (!function.bodyReadable()) {
      return Optional.empty();
    }
    return FunctionBodies.isFrozen(function.body())
        ? Optional.of("it")
        : bodies.frozenBelow(function.body()).map(called -> "it calls " + called + ", which");
  }

  private void judge(Column column) throws SQLException {
    if (FunctionBodies.isFrozen(column.defaultExpression())
        && (column.isTime() ? column.uniqueAlone() : column.isIdentifier())) {
      findings.add(
          Finding.of(
              Check.FROZEN_DEFAULT,
              Severity.WARNING,
              column.object(),
              "default %s, which is constant within a transaction: two rows of one are given the"
                      .formatted(column.defaultExpression())
                  + " same time",
              MintRemedy.of(List.of(column), reader)));
    }
    boolean told = column.uniqueAlone() || column.primary() || column.reference();
    if (!told && mints(column)) {
      boolean often =
          column.topFrequency() >= SHARED_MIN && column.topFrequency() * column.table().rows() >= 2;
      if (column.missing() || often) {
        findings.add(shared(column));
      }
    }
  }

  private static Finding shared(Column column) {
    String table = column.table().shown();
    return Finding.of(
        Check.SHARED_IDS,
        Severity.WARNING,
        column.object(),
        "default %s, but %s"
            .formatted(
                column.defaultExpression(),
                column.topFrequency() > 0
                    ? "%s of %s have one value"
                        .formatted(
                            Words.share(column.topFrequency()), Words.rows(column.table().rows()))
                    : "all rows from before the column was added have one value"),
        ("give each of these rows an identifier of its own, in batches if there are many, then add a"
                + " unique constraint: update %1$s set %2$s = default where %2$s in (select %2$s from"
                + " %1$s group by %2$s having count(*) > 1); alter table %1$s add unique (%2$s)")
            .formatted(table, column.shown()));
  }

  private static boolean mints(Column column) {
    return (column.isUuid() || column.isText())
        && MINT_CALL.matcher(column.defaultExpression()).matches();
  }

  /** One finding for each default, about the largest table that has it. */
  private void judgeSizes() {
    Map<String, Column> largest = new LinkedHashMap<>();
    snapshot.columns().stream()
        .filter(Defaults::mints)
        .filter(column -> column.table().bytes() >= REWRITTEN_BYTES_MIN && !column.missing())
        .sorted(Comparator.comparingLong(column -> -column.table().bytes()))
        .forEach(column -> largest.putIfAbsent(column.defaultExpression(), column));
    largest.forEach(
        (expression, column) ->
            findings.add(
                Finding.of(
                    Check.REWRITING_DEFAULT,
                    Severity.NOTICE,
                    column.object(),
                    "default %s: another column added with it would rewrite %s, %s, under a lock"
                            .formatted(
                                expression,
                                column.table().shown(),
                                Words.bytes(column.table().bytes()))
                        + " that blocks all reads and writes",
                    "add the column without a default, set the default then, and fill old rows in"
                        + " batches: mintmark migrate plan")));
  }
}
