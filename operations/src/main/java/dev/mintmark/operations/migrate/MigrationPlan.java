package dev.mintmark.operations.migrate;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What it takes to bring a database to what a catalog declares. Of a database that has it already
 * it has no steps.
 *
 * @param steps what is done, in order; those of {@link Phase#CONTRACT} once somebody asks for them
 * @param refusals why it cannot be applied; none if it can
 * @param notes what to know before it is applied
 * @param limits where the way back ends before the contraction
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

  /** Whether the database is as declared, as far as that can be had. */
  public boolean isEmpty() {
    return steps.isEmpty();
  }

  /** What all steps cost together. */
  public Estimate estimate() {
    return steps.stream().map(Step::estimate).reduce(Estimate.NOTHING, Estimate::plus);
  }

  /**
   * Sixteen hexadecimal digits that are others once any statement or refusal is another: by them a
   * plan that was shown is the one that is applied. Estimates do not count, for tables grow.
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
