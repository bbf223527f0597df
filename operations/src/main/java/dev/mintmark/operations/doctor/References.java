package dev.mintmark.operations.doctor;

import dev.mintmark.operations.doctor.Reference.End;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Foreign keys: as wide as what they refer to, and found by an index. */
final class References {
  private static final long ROWS_WARNING = 10_000;
  private static final double USED_CRITICAL = 0.9;

  private static final Map<String, Integer> NUMBER_BYTES = Map.of("int2", 2, "int4", 4, "int8", 8);
  private static final Set<String> TEXTS = Set.of("text", "varchar", "bpchar");

  private References() {}

  static List<Finding> findings(SchemaSnapshot snapshot, NumberKeys numbers) {
    List<Finding> findings = new ArrayList<>();
    for (Reference reference : snapshot.references()) {
      for (End end : reference.columns()) {
        narrow(snapshot, numbers, reference, end).ifPresent(findings::add);
      }
      if (!reference.indexed()) {
        findings.add(unindexed(reference));
      }
    }
    return findings;
  }

  private static Optional<Finding> narrow(
      SchemaSnapshot snapshot, NumberKeys numbers, Reference reference, End end) {
    String own;
    String target;
    double used = 0;
    if (NUMBER_BYTES.containsKey(end.type()) && NUMBER_BYTES.containsKey(end.targetType())) {
      if (NUMBER_BYTES.get(end.type()) >= NUMBER_BYTES.get(end.targetType())) {
        return Optional.empty();
      }
      own = end.type();
      target = end.targetType();
      long greatest =
          reference
              .target()
              .flatMap(table -> snapshot.column(table, end.targetName()))
              .map(column -> numbers.used(column).orElse(0))
              .orElse(0L);
      used = (double) greatest / NumberKeys.typeMax(end.type());
    } else if (TEXTS.contains(end.type()) && TEXTS.contains(end.targetType())) {
      boolean fits =
          end.length() < 0 || (end.targetLength() >= 0 && end.length() >= end.targetLength());
      if (fits) {
        return Optional.empty();
      }
      own = end.type() + "(" + end.length() + ")";
      target = end.targetType() + (end.targetLength() < 0 ? "" : "(" + end.targetLength() + ")");
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
                    own, reference.targetShown(), end.targetShown(), target, come(used, own)),
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
    String columns = String.join(", ", reference.columns().stream().map(End::shown).toList());
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
