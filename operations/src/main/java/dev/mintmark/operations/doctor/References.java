package dev.mintmark.operations.doctor;

import dev.mintmark.operations.doctor.Reference.Pair;
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
    String own;
    String target;
    double used = 0;
    if (end.base().isInteger() && referenced.base().isInteger()) {
      if (end.base().bytes() >= referenced.base().bytes()) {
        return Optional.empty();
      }
      own = end.base().label();
      target = referenced.base().label();
      long greatest =
          reference
              .target()
              .flatMap(table -> snapshot.column(table, referenced.name()))
              .map(column -> numbers.used(column).orElse(0))
              .orElse(0L);
      used = (double) greatest / end.base().max();
    } else if (end.base().isText() && referenced.base().isText()) {
      boolean fits =
          end.length() < 0 || (referenced.length() >= 0 && end.length() >= referenced.length());
      if (fits) {
        return Optional.empty();
      }
      own = end.base().label() + "(" + end.length() + ")";
      target =
          referenced.base().label()
              + (referenced.length() < 0 ? "" : "(" + referenced.length() + ")");
    } else {
      return Optional.empty();
    }
    return Optional.of(
        Finding.of(
            Check.NARROW_REFERENCE,
            used < USED_CRITICAL ? Severity.WARNING : Severity.CRITICAL,
            reference.table().shown() + "." + end.shown(),
            "%s, but it refers to %s.%s, which is %s%s"
                .formatted(
                    own, reference.targetShown(), referenced.shown(), target, come(used, own)),
            "make it %s: declare the key in mintmark.yaml and see mintmark migrate plan"
                .formatted(target)));
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
            : "create an index on (%s) of each part of %s".formatted(columns, table.shown()));
  }
}
