package dev.mintmark.postgres.pool;

import dev.mintmark.DurationText;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.ClaimName;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who may claim values of a pool, so that it can be released in steps: named owners, a share of all
 * owners, and how fast each of them claims.
 *
 * <p>An owner is let in if it is named, or if it is in the share. If no owner is named and there is
 * no share, everybody is let in. A claim without an owner counts under the name of its client.
 *
 * <p><b>Share.</b> An owner is in the share if {@code SHA-256(pool + "\n" + owner)}, in UTF-8, is
 * in the lower part of its range. So the owners of a share are in every greater share of the same
 * pool; the shares of two pools are independent. Anyone can compute it: it is a way to select, not
 * to keep out.
 *
 * <p>Immutable and thread-safe.
 *
 * @param owners the named owners, at most {@value #OWNERS_MAX}
 * @param share in hundredths of a percent, 0 to {@value #SHARE_MAX}
 * @param rate how fast each owner claims; empty: without a limit
 */
public record PoolGate(Set<String> owners, Optional<Integer> share, Optional<Rate> rate) {
  /** The most named owners. */
  public static final int OWNERS_MAX = 10_000;

  /** The share of all owners: 100 percent. */
  public static final int SHARE_MAX = 10_000;

  /** The gate that lets everybody in. */
  public static final PoolGate OPEN = new PoolGate(Set.of(), Optional.empty(), Optional.empty());

  private static final Pattern PERCENT = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,2})?)%");

  /**
   * The bits of the hash that are compared: as many as a positive {@code long} has above a share.
   */
  private static final int HASH_BITS = 48;

  /**
   * How many values an owner may claim in a time. It may claim as many at once; then they come back
   * one by one, evenly over that time.
   *
   * @param claims 1 or more
   * @param per 1 ms to {@link PoolSpec#DURATION_MAX}, in whole milliseconds
   */
  public record Rate(int claims, Duration per) {
    private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,8})/(.+)");

    public Rate {
      if (claims < 1
          || per.compareTo(Duration.ofMillis(1)) < 0
          || per.compareTo(PoolSpec.DURATION_MAX) > 0) {
        throw new IllegalArgumentException(
            "rate %s in %s: expected 1 or more, in 1ms to %s"
                .formatted(
                    claims, DurationText.format(per), DurationText.format(PoolSpec.DURATION_MAX)));
      }
    }

    /**
     * Reads {@code 10/m} or {@code 10/1m30s}.
     *
     * @throws IllegalArgumentException if it is not of this form
     */
    public static Rate parse(String text) {
      Matcher rate = TEXT.matcher(text);
      if (!rate.matches()) {
        throw new IllegalArgumentException(
            "rate " + Quoted.of(text) + ": expected a number and a time, as in 10/m or 100/1h");
      }
      String per = rate.group(2);
      boolean isUnit = Character.isLetter(per.charAt(0)) && !per.startsWith("P");
      return new Rate(
          Integer.parseInt(rate.group(1)), DurationText.parse(isUnit ? "1" + per : per));
    }

    /** The text that {@link #parse} reads: {@code 10/1m}. */
    @Override
    public String toString() {
      return claims + "/" + DurationText.format(per);
    }
  }

  public PoolGate {
    owners = Collections.unmodifiableSet(new TreeSet<>(owners));
    if (owners.size() > OWNERS_MAX) {
      throw new IllegalArgumentException(
          "gate with %s owners: expected at most %s".formatted(owners.size(), OWNERS_MAX));
    }
    owners.forEach(owner -> ClaimName.check("owner", owner));
    share.ifPresent(
        part -> {
          if (part < 0 || part > SHARE_MAX) {
            throw new IllegalArgumentException(
                "share %s: expected 0 to %s hundredths of a percent".formatted(part, SHARE_MAX));
          }
        });
  }

  /**
   * Reads a share such as {@code 5%} or {@code 0.25%}, in hundredths of a percent.
   *
   * @throws IllegalArgumentException if it is not of this form, or more than 100%
   */
  public static int parseShare(String text) {
    Matcher percent = PERCENT.matcher(text);
    if (percent.matches()) {
      int share = new BigDecimal(percent.group(1)).movePointRight(2).intValueExact();
      if (share <= SHARE_MAX) {
        return share;
      }
    }
    throw new IllegalArgumentException(
        "share "
            + Quoted.of(text)
            + ": expected 0% to 100%, with at most two digits after the point");
  }

  /** The text of the share that {@link #parseShare} reads: {@code 5%}; empty without a share. */
  public Optional<String> shareText() {
    return share.map(
        part -> BigDecimal.valueOf(part, 2).stripTrailingZeros().toPlainString() + "%");
  }

  /** Whether everybody may claim at any rate. */
  public boolean isOpen() {
    return equals(OPEN);
  }

  /**
   * Whether an owner is let in.
   *
   * @param pool the pool's name
   * @param owner the owner of the claim; its client if it has none
   */
  public boolean admits(String pool, String owner) {
    boolean isLimited = !owners.isEmpty() || share.isPresent();
    return !isLimited
        || owners.contains(owner)
        || (share.isPresent() && place(pool, owner) < share.get());
  }

  /** Where an owner is among all: 0 to {@value #SHARE_MAX} - 1. */
  private static int place(String pool, String owner) {
    byte[] hash = sha256().digest((pool + "\n" + owner).getBytes(StandardCharsets.UTF_8));
    long bits = ByteBuffer.wrap(hash).getLong() >>> (Long.SIZE - HASH_BITS);
    return (int) ((bits * SHARE_MAX) >>> HASH_BITS);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
