package dev.mintmark.testkit;

import dev.mintmark.NumberRange;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.Pools;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Fault checks of pools against a database: checks that pools keep their promises there while
 * sessions are terminated and connections break.
 *
 * <p>It creates pools of its own, named {@code verify-} and eight digits, and deletes them after
 * each check, even if the check fails. It terminates its own sessions and breaks its own
 * connections, which have a unique application name; other work on the database continues. Every
 * call is recorded, and judged afterwards by calls and answers alone.
 *
 * <p>Requires {@link Pools#MIGRATIONS}, and a data source of its own that gives at least 12
 * connections and replaces those that break. Works through a pooler in transaction mode. For one
 * thread; another thread may call {@link #close} to clean up after an interrupted run.
 */
public final class PoolVerification implements AutoCloseable {
  /** How many findings of one check are reported; the others are counted. */
  private static final int FINDINGS_MAX = 20;

  private static final Map<String, String> FORMER_NAMES = Map.of("turmoil", "random-workload");

  private final DataSource connections;
  private final String applicationName;
  private final long seed;
  private final Duration effort;
  private final boolean throughSql;
  private final Set<String> pools = ConcurrentHashMap.newKeySet();

  private PoolVerification(
      DataSource connections,
      String applicationName,
      long seed,
      Duration effort,
      boolean throughSql) {
    this.connections = connections;
    this.throughSql = throughSql;
    this.applicationName = applicationName;
    this.seed = seed;
    this.effort = effort;
  }

  /** The result of a check. */
  public enum Outcome {
    /** Nothing is wrong. */
    PASSED,
    /** Something is wrong: the findings say what. */
    FAILED,
    /** The database does not support what is checked, which is not a fault. */
    NOT_AVAILABLE
  }

  /**
   * One check and its result.
   *
   * @param name the name of the check
   * @param sentence what was done
   * @param outcome the result
   * @param findings what is wrong, or why the check is not available
   * @param figures counts of what was done, in the order in which to show them
   */
  public record Check(
      String name,
      String sentence,
      Outcome outcome,
      List<String> findings,
      Map<String, Long> figures) {}

  /**
   * Checks on the database of {@code connections}.
   *
   * @param seed the seed of the random work; the same seed gives the same work, but not the same
   *     interleaving
   * @param effort the duration of each check that works at random; it works longer, for up to 30 s,
   *     until the fault that it is about has happened
   */
  public static PoolVerification over(DataSource connections, long seed, Duration effort) {
    String applicationName = "mintmark-verify-" + randomHex();
    return new PoolVerification(
        InterceptingProxy.named(connections, applicationName),
        applicationName,
        seed,
        effort,
        false);
  }

  /**
   * The same checks of the functions of SQL: {@code claim_value}, {@code renew_value} and {@code
   * release_value} instead of {@link dev.mintmark.postgres.pool.Pool}.
   */
  public PoolVerification throughSql() {
    return new PoolVerification(connections, applicationName, seed, effort, true);
  }

  /** The names of the checks, in the order in which they are run. */
  public static List<String> names() {
    return FaultCheck.ALL.stream().map(FaultCheck::name).toList();
  }

  /**
   * Runs checks.
   *
   * @param names which of them; empty: all. {@code turmoil}, the former name of {@code
   *     random-workload}, is accepted
   * @param each receives every check when it is over
   * @throws IllegalArgumentException if no check has one of the names
   * @throws PoolUnavailableException if the database fails in another way than was planted
   */
  public List<Check> run(List<String> names, Consumer<Check> each) {
    List<String> present = new ArrayList<>();
    for (String name : names) {
      present.add(
          presentName(name)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "no check is called %s: expected one of %s"
                              .formatted(Quoted.of(name), names()))));
    }
    List<FaultCheck> chosen =
        FaultCheck.ALL.stream()
            .filter(check -> present.isEmpty() || present.contains(check.name()))
            .toList();
    List<Check> checks = new ArrayList<>();
    for (FaultCheck check : chosen) {
      Check done = run(check);
      checks.add(done);
      each.accept(done);
    }
    return List.copyOf(checks);
  }

  /** Returns the present name of the check that has, or had, a name; empty if there is none. */
  public static Optional<String> presentName(String name) {
    return Optional.of(FORMER_NAMES.getOrDefault(name, name)).filter(names()::contains);
  }

  private Check run(FaultCheck check) {
    String pool = "verify-" + randomHex();
    PoolSpec spec =
        check.spec().apply(PoolSpec.of(pool, List.of(new NumberRange(1, check.values()))));
    pools.add(pool);
    Check done;
    try (FaultBench bench =
        new FaultBench(connections, applicationName, spec, effort, seed, throughSql)) {
      check.work().with(bench);
      done = judge(check, bench);
    }
    pools.remove(pool);
    return done;
  }

  private static Check judge(FaultCheck check, FaultBench bench) {
    List<String> notAvailable = bench.notAvailable();
    List<String> findings = notAvailable.isEmpty() ? bench.judge() : notAvailable;
    Outcome outcome = findings.isEmpty() ? Outcome.PASSED : Outcome.FAILED;
    return new Check(
        check.name(),
        check.sentence(),
        notAvailable.isEmpty() ? outcome : Outcome.NOT_AVAILABLE,
        cut(findings),
        bench.figures());
  }

  private static List<String> cut(List<String> findings) {
    if (findings.size() <= FINDINGS_MAX) {
      return List.copyOf(findings);
    }
    List<String> first = new ArrayList<>(findings.subList(0, FINDINGS_MAX));
    first.add("and %s more".formatted(findings.size() - FINDINGS_MAX));
    return List.copyOf(first);
  }

  private static String randomHex() {
    return HexFormat.of().toHexDigits(new SecureRandom().nextInt());
  }

  /** Deletes the pool of a check that did not end, if there is one. */
  @Override
  public void close() {
    try (Pools administration = Pools.over(connections)) {
      pools.forEach(administration::delete);
    }
  }
}
