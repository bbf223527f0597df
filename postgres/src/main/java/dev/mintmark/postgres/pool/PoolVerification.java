package dev.mintmark.postgres.pool;

import dev.mintmark.NumberRange;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Fault checks of pools against a database: whether what is promised of pools holds there, under
 * faults that are planted.
 *
 * <p>Works with pools of its own, named {@code verify-} and eight digits, which are deleted when a
 * check is over, also where it fails. It ends its own sessions and breaks its own connections, all
 * by a name that nobody else has; other work on the database goes on. Every operation is recorded
 * and judged afterwards by what was asked and answered alone.
 *
 * <p>What it is given to connect with should be for it alone, hold 12 connections or more, and be
 * able to open new ones for those that break. Works through a pooler in transaction mode. For one
 * thread; {@link #close} may be called by another to clean up where a run is interrupted.
 */
public final class PoolVerification implements AutoCloseable {
  /** How many findings of one check are told; more are counted. */
  private static final int FINDINGS_MAX = 20;

  private final DataSource connections;
  private final String applicationName;
  private final long seed;
  private final Duration effort;
  private final Set<String> pools = ConcurrentHashMap.newKeySet();

  private PoolVerification(
      DataSource connections, String applicationName, long seed, Duration effort) {
    this.connections = connections;
    this.applicationName = applicationName;
    this.seed = seed;
    this.effort = effort;
  }

  /** How a check came out. */
  public enum Outcome {
    /** Nothing was wrong. */
    PASSED,
    /** Something was: the findings say what. */
    FAILED,
    /** What is checked cannot be had on this database, which is no fault. */
    NOT_AVAILABLE
  }

  /**
   * One check and what came of it.
   *
   * @param name how it is called
   * @param sentence what was done
   * @param outcome how it came out
   * @param findings what was wrong, or why it is not available
   * @param figures what was done, counted, in the order to be shown
   */
  public record Check(
      String name,
      String sentence,
      Outcome outcome,
      List<String> findings,
      Map<String, Long> figures) {}

  /**
   * Checks to be run through {@code connections}.
   *
   * @param seed decides what is random in them: the same seed, the same work, though not the same
   *     meetings
   * @param effort for how long each of those checks goes on that work at random
   */
  public static PoolVerification over(DataSource connections, long seed, Duration effort) {
    String applicationName = "mintmark-verify-" + randomHex();
    return new PoolVerification(
        InterceptingProxy.named(connections, applicationName), applicationName, seed, effort);
  }

  /** The names of the checks, in the order in which they are run. */
  public static List<String> names() {
    return FaultCheck.ALL.stream().map(FaultCheck::name).toList();
  }

  /**
   * Runs checks.
   *
   * @param names which of them; all where that is empty
   * @param each is told of every check when it is over
   * @throws IllegalArgumentException if no check has one of the names
   * @throws PoolUnavailableException if the database fails other than was planted
   */
  public List<Check> run(List<String> names, Consumer<Check> each) {
    for (String name : names) {
      if (!names().contains(name)) {
        throw new IllegalArgumentException(
            "no check is called " + Quoted.of(name) + ": expected one of " + names());
      }
    }
    List<FaultCheck> chosen =
        FaultCheck.ALL.stream()
            .filter(check -> names.isEmpty() || names.contains(check.name()))
            .toList();
    List<Check> checks = new ArrayList<>();
    for (FaultCheck check : chosen) {
      Check done = run(check);
      checks.add(done);
      each.accept(done);
    }
    return List.copyOf(checks);
  }

  private Check run(FaultCheck check) {
    String pool = "verify-" + randomHex();
    PoolSpec spec =
        check.spec().apply(PoolSpec.of(pool, List.of(new NumberRange(1, check.values()))));
    pools.add(pool);
    Check done;
    try (FaultBench bench = new FaultBench(connections, applicationName, spec, effort, seed)) {
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
    first.add("and %d more".formatted(findings.size() - FINDINGS_MAX));
    return List.copyOf(first);
  }

  private static String randomHex() {
    return HexFormat.of().toHexDigits(new SecureRandom().nextInt());
  }

  /** Deletes the pool of a check that did not come to its end, if there is one. */
  @Override
  public void close() {
    try (Pools administration = Pools.over(connections)) {
      pools.forEach(administration::delete);
    }
  }
}
