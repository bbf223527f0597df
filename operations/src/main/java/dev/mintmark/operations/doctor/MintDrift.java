package dev.mintmark.operations.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Defaults that do not mint as the catalog declares. */
final class MintDrift {
  private static final String PLAN = "mintmark migrate plan";

  private MintDrift() {}

  /** Returns the findings; a table without a schema is looked for in all of them. */
  static List<Finding> findings(SchemaSnapshot snapshot, List<DeclaredMint> declared) {
    List<Finding> findings = new ArrayList<>();
    for (DeclaredMint mint : declared) {
      snapshot.columns().stream()
          .filter(column -> column.name().equals(mint.column()) && mint.isOf(column.table()))
          .flatMap(column -> finding(column, mint).stream())
          .forEach(findings::add);
    }
    return findings;
  }

  private static Optional<Finding> finding(Column column, DeclaredMint mint) {
    if (mint.words().isByServer()) {
      return byServer(column, mint);
    }
    String existing = column.defaultExpression();
    if (mint.words().isByApplication()) {
      return existing.isEmpty() ? Optional.empty() : Optional.of(beside(column));
    }
    if (existing.isEmpty()) {
      return Optional.of(mint)
          .filter(each -> each.expression().isPresent() && !column.reference())
          .map(each -> undeclared(column));
    }
    return mint.words()
        .order()
        .filter(order -> !mint.minted().test(existing))
        .map(
            order ->
                Finding.of(
                    Check.MINT_DRIFT,
                    Severity.NOTICE,
                    column.object(),
                    "default %s, which does not mint in the declared order, %s"
                        .formatted(existing, order.label()),
                    "declare mint: server, and see " + PLAN));
  }

  private static Optional<Finding> byServer(Column column, DeclaredMint mint) {
    String existing = column.defaultExpression();
    if (!existing.isEmpty() && mint.minted().test(existing)) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.of(
            Check.MINT_DRIFT,
            Severity.WARNING,
            column.object(),
            "%s, but the catalog declares mint: server, which is default %s"
                .formatted(
                    existing.isEmpty() ? "no default" : "default " + existing,
                    mint.expression().orElse("of another kind")),
            "set the default: " + PLAN));
  }

  private static Finding beside(Column column) {
    return Finding.of(
        Check.MINT_DRIFT,
        Severity.NOTICE,
        column.object(),
        "default %s, but the catalog declares mint: application: rows that are inserted without an"
                .formatted(column.defaultExpression())
            + " identifier get one of the server",
        "declare mint: server, or drop the default: alter table %s alter column %s drop default"
            .formatted(column.table().shown(), column.shown()));
  }

  private static Finding undeclared(Column column) {
    return Finding.of(
        Check.MINT_DRIFT,
        Severity.NOTICE,
        column.object(),
        "no default, and the catalog does not declare where its identifiers are minted",
        "declare mint: server or mint: application");
  }
}
