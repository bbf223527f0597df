package dev.mintmark.operations.doctor;

import dev.mintmark.operations.doctor.Reference.Pair;
import dev.mintmark.operations.internal.schema.BuiltInType;
import dev.mintmark.operations.internal.schema.ForeignKey.End;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Foreign keys: as wide as what they refer to, and found by an index. */
final class References {
  private static final long ROWS_WARNING = 10_000;
  private static final double USED_CRITICAL = 0.9;

  private References() {}

  static List<Finding> findings(SchemaSnapshot snapshot, NumberKeys numbers) {
    List<Finding> findings = new ArrayList<>();
    for (Reference reference : snapshot.references()) {
      for (Pair pair : reference.columns()) {
        narrow(snapshot, numbers, reference, pair).ifPresent(findings::add);
      }
      if (!reference.indexed()) {
        findings.add(unindexed(reference));
      }
    }
    return findings;
  }

  private static Optional<Finding> narrow(
      SchemaSnapshot snapshot, NumberKeys numbers, Reference reference, Pair pair) {
    End end = pair.own();
    End referenced = pair.target();
    if (end.base().isInteger() && referenced.base().isInteger()) {
      return end.base().bytes() >= referenced.base().bytes()
          ? Optional.empty()
          : Optional.of(narrowNumber(snapshot, numbers, reference, pair));
    }
    if (end.base().isText() && referenced.base().isText()) {
      boolean fits =
          end.length() < 0 || (referenced.length() >= 0 && end.length() >= referenced.length());
      return fits ? Optional.empty() : Optional.of(narrowText(reference, pair));
    }
    return Optional.empty();
  }

  private static Finding narrowNumber(
      SchemaSnapshot snapshot, NumberKeys numbers, Reference reference, Pair pair) {
    End end = pair.own();
    End referenced = pair.target();
    long greatest =
        reference
            .target()
            .flatMap(table -> snapshot.column(table, referenced.name()))
            .map(column -> numbers.used(column).orElse(0))
            .orElse(0L);
    double used = (double) greatest / end.base().max();
    String own = end.base().label();
    return narrow(
        reference,
        pair,
        used < USED_CRITICAL ? Severity.WARNING : Severity.CRITICAL,
        own,
        referenced.base().label() + come(used, own),
        "make it %s: declare the key in mintmark.yaml and see mintmark migrate plan"
            .formatted(referenced.base().label()));
  }

  /** PostgreSQL widens a varchar, or makes it text, without writing a row. */
  private static Finding narrowText(Reference reference, Pair pair) {
    End referenced = pair.target();
    return narrow(
        reference,
        pair,
        Severity.WARNING,
        withLength(pair.own().base().label(), pair.own()),
        withLength(referenced.base().label(), referenced),
        "%s: alter table %s alter column %s type %s"
            .formatted(
                pair.own().base() == BuiltInType.VARCHAR && referenced.base() != BuiltInType.CHAR
                    ? "widen it, which writes no row"
                    : "widen it, which writes the table anew",
                reference.table().shown(),
                pair.own().shown(),
                withLength(referenced.base().sql(), referenced)));
  }

  private static String withLength(String type, End end) {
    return end.length() < 0 ? type : type + "(" + end.length() + ")";
  }

  private static Finding narrow(
      Reference reference, Pair pair, Severity severity, String own, String target, String remedy) {
    return Finding.of(
        Check.NARROW_REFERENCE,
        severity,
        reference.table().shown() + "." + pair.own().shown(),
        "%s, but it refers to %s.%s, which is %s"
            .formatted(own, reference.targetShown(), pair.target().shown(), target),
        remedy);
  }

  /** How much of its own type the target has used. */
  private static String come(double used, String own) {
    if (used == 0) {
      return "";
    }
    return used > 1
        ? " and is past what %s holds".formatted(own)
        : " and has come to %s of what %s holds".formatted(Words.share(used), own);
  }

  private static Finding unindexed(Reference reference) {
    Table table = reference.table();
    String columns =
        String.join(", ", reference.columns().stream().map(pair -> pair.own().shown()).toList());
    return Finding.of(
        Check.UNINDEXED_REFERENCE,
        reference.rows() < ROWS_WARNING ? Severity.NOTICE : Severity.WARNING,
        reference.object(),
        "no index begins with it, so each deleted or renumbered row of %s reads all of %s (%s, %s)"
            .formatted(
                reference.targetShown(),
                table.shown(),
                Words.rows(reference.rows()),
                Words.bytes(table.bytes())),
        table.members().size() == 1
            ? "create index concurrently on %s (%s)".formatted(table.shown(), columns)
            : "create an index on each part concurrently, then one of the whole, which takes them over:"
                + " create index on %s (%s)".formatted(table.shown(), columns));
  }
}
