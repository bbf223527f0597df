package dev.mintmark.operations.migrate;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The steps that change a database to what a catalog declares. Empty if the database matches.
 *
 * @param steps the steps in order; those of {@link Phase#CONTRACT} run on request only
 * @param refusals the reasons why it cannot be applied; none if it can
 * @param notes what to know before applying it
 * @param limits the values up to which a rollback is possible
 */
public record MigrationPlan(
    List<Step> steps, List<Refusal> refusals, List<String> notes, List<Limit> limits) {
  private static final int FINGERPRINT_DIGITS = 16;

  public MigrationPlan {
    steps = List.copyOf(steps);
    refusals = List.copyOf(refusals);
    notes = List.copyOf(notes);
    limits = List.copyOf(limits);
  }

  /** Returns whether there is nothing to do and nothing refused. */
  public boolean isEmpty() {
    return steps.isEmpty() && refusals.isEmpty();
  }

  /**
   * Returns statements that set, for a session, everything that changes what the text of the steps
   * means. A run sets the same.
   */
  public static List<String> settings() {
    return SqlSettings.PINNED.statements();
  }

  /** Returns the cost of all steps. */
  public Estimate estimate() {
    return steps.stream().map(Step::estimate).reduce(Estimate.NOTHING, Estimate::plus);
  }

  /**
   * Returns sixteen hexadecimal digits that change with any statement or refusal. They ensure that
   * the plan that was shown is the plan that is applied. Estimates do not count, because tables
   * grow.
   */
  public String fingerprint() {
    MessageDigest digest = sha256();
    for (Step step : steps) {
      add(digest, step.phase() + " " + step.work() + " " + step.title() + " " + step.target());
      step.apply().forEach(statement -> add(digest, "apply " + statement));
      step.undo().forEach(statement -> add(digest, "undo " + statement));
    }
    refusals.forEach(refusal -> add(digest, refusal.toString()));
    return HexFormat.of().formatHex(digest.digest()).substring(0, FINGERPRINT_DIGITS);
  }

  private static void add(MessageDigest digest, String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
