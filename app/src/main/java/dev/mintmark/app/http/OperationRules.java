package dev.mintmark.app.http;

import dev.mintmark.app.access.Scope;
import dev.mintmark.app.access.Scope.Kind;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which scope each operation of {@code openapi.json} needs, and how it is audited. An operation
 * that is not here is refused, and a test fails.
 */
final class OperationRules {
  private static final String POOL = "pool";

  /** How an operation is audited. */
  enum Auditing {
    /** It changes nothing, or writes its entry itself, in the same transaction. */
    NONE,
    /** Its entry is stored before it begins, and completed when it has ended. */
    BEFORE,
    /**
     * Its entry is stored soon after it has ended, if accounts are on and it has succeeded, or
     * failed so that it may have changed something.
     */
    AFTER
  }

  /**
   * The rule of an operation.
   *
   * @param kinds the caller needs one of them; empty: the operation is open to everybody
   * @param variable the variable of the path that names the pool or collection; empty: it names
   *     none, and the operation itself limits what it shows to what the key permits
   */
  record Rule(List<Kind> kinds, String variable, Auditing auditing) {
    boolean isOpen() {
      return kinds.isEmpty();
    }

    /**
     * Checks that a caller may do this.
     *
     * @param variables those of the path
     * @throws ProblemException if it may not
     */
    void check(Caller caller, Map<String, String> variables) {
      if (isOpen() || caller.principal().isEmpty()) {
        return;
      }
      if (variable.isEmpty()) {
        if (kinds.stream().noneMatch(caller.principal().get()::permitsSome)) {
          throw caller.insufficient(texts(Scope.ALL));
        }
        return;
      }
      String name = Objects.requireNonNull(variables.get(variable), variable);
      for (Kind kind : kinds) {
        if (caller.principal().get().permits(kind, name)) {
          return;
        }
      }
      throw caller.insufficient(texts(name));
    }

    private String texts(String name) {
      return kinds.stream()
          .map(kind -> new Scope(kind, name).text())
          .collect(Collectors.joining(" or "));
    }
  }

  private static final Rule OPEN = new Rule(List.of(), "", Auditing.NONE);
  private static final Rule READ_POOL = new Rule(List.of(Kind.POOLS_READ), POOL, Auditing.NONE);
  private static final Rule READ_CLAIMS =
      new Rule(List.of(Kind.POOLS_READ, Kind.CLAIM), POOL, Auditing.NONE);
  private static final Rule CLAIM = new Rule(List.of(Kind.CLAIM), POOL, Auditing.AFTER);
  private static final Rule CHANGE_POOL =
      new Rule(List.of(Kind.POOLS_ADMIN), POOL, Auditing.BEFORE);

  private static final Rule RUN_MIGRATION =
      new Rule(List.of(Kind.MIGRATIONS_ADMIN), "", Auditing.BEFORE);

  private static final Map<String, Rule> RULES =
      Map.ofEntries(
          Map.entry("inspectIds", of(Kind.IDS_READ)),
          Map.entry("inspectText", of(Kind.IDS_READ)),
          Map.entry("readPuris", of(Kind.IDS_READ)),
          Map.entry("listMintedKinds", of(Kind.IDS_READ)),
          Map.entry("compareSchemes", of(Kind.IDS_READ)),
          Map.entry("mintIds", of(Kind.MINT)),
          Map.entry("findRows", of(Kind.FIND)),
          Map.entry("listSearchable", of(Kind.FIND)),
          Map.entry("listPools", of(Kind.POOLS_READ)),
          Map.entry("createPool", new Rule(List.of(Kind.POOLS_ADMIN), "", Auditing.BEFORE)),
          Map.entry("getPool", READ_POOL),
          Map.entry("changePool", CHANGE_POOL),
          Map.entry("planPoolChange", READ_POOL),
          Map.entry("deletePool", CHANGE_POOL),
          Map.entry("watchPool", READ_POOL),
          Map.entry("getPoolMap", READ_POOL),
          Map.entry("getPoolDensity", READ_POOL),
          Map.entry("getPoolUsage", READ_POOL),
          Map.entry("findHeld", READ_POOL),
          Map.entry("listFreeValues", READ_CLAIMS),
          Map.entry("getGate", READ_POOL),
          Map.entry("setGate", CHANGE_POOL),
          Map.entry("addBlock", CHANGE_POOL),
          Map.entry("changeBlock", CHANGE_POOL),
          Map.entry("removeBlock", CHANGE_POOL),
          Map.entry("listQuarantined", READ_POOL),
          Map.entry("quarantineValues", CHANGE_POOL),
          Map.entry("resumePool", CHANGE_POOL),
          Map.entry("excludeValues", CHANGE_POOL),
          Map.entry("includeValues", CHANGE_POOL),
          Map.entry("listHistory", READ_POOL),
          Map.entry("pruneHistory", CHANGE_POOL),
          Map.entry("listClaims", READ_POOL),
          Map.entry("getClaim", READ_CLAIMS),
          Map.entry("createClaim", CLAIM),
          Map.entry("renewClaim", CLAIM),
          Map.entry("releaseClaim", CLAIM),
          Map.entry("setNote", CLAIM),
          Map.entry("keepClaims", CLAIM),
          Map.entry("releaseClaims", CHANGE_POOL),
          Map.entry("renewClaims", CHANGE_POOL),
          Map.entry("importClaims", CHANGE_POOL),
          Map.entry("exportClaims", new Rule(List.of(Kind.POOLS_ADMIN), POOL, Auditing.NONE)),
          Map.entry("getDoctor", of(Kind.MIGRATIONS_READ)),
          Map.entry("runDoctor", of(Kind.MIGRATIONS_READ)),
          Map.entry("getMigrationPlan", of(Kind.MIGRATIONS_READ)),
          Map.entry("planMigration", of(Kind.MIGRATIONS_READ)),
          Map.entry("listMigrations", of(Kind.MIGRATIONS_READ)),
          Map.entry("getMigration", of(Kind.MIGRATIONS_READ)),
          Map.entry("pauseMigration", RUN_MIGRATION),
          Map.entry("resumeMigration", RUN_MIGRATION),
          Map.entry("rollBackMigration", RUN_MIGRATION),
          Map.entry("contractMigration", RUN_MIGRATION),
          Map.entry("listKeys", of(Kind.KEYS_ADMIN)),
          Map.entry("createKey", of(Kind.KEYS_ADMIN)),
          Map.entry("revokeKey", of(Kind.KEYS_ADMIN)),
          Map.entry("listAudit", of(Kind.AUDIT_READ)),
          Map.entry("getSession", OPEN),
          Map.entry("signIn", OPEN),
          Map.entry("signOut", OPEN),
          Map.entry("getLiveness", OPEN),
          Map.entry("getReadiness", OPEN),
          Map.entry("getMetrics", of(Kind.METRICS_READ)));

  private OperationRules() {}

  private static Rule of(Kind kind) {
    return new Rule(List.of(kind), "", Auditing.NONE);
  }

  /** The rule of an operation. */
  static Optional<Rule> find(String operationId) {
    return Optional.ofNullable(RULES.get(operationId));
  }
}
