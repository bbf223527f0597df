package dev.mintmark.postgres.pool;

import dev.mintmark.DurationText;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * What a client asks of a pool: one value, any that is free.
 *
 * @param client who will hold it: 1 to {@value #NAME_LENGTH_MAX} characters, none of them a control
 *     character; the same client is given the same value however often it asks
 * @param owner the account on whose behalf, within the same limits
 * @param lease how long it will be held unless renewed; empty: as the pool says
 */
public record ClaimRequest(String client, Optional<String> owner, Optional<Duration> lease) {
  /** The longest name of a client and of an owner, in characters. */
  public static final int NAME_LENGTH_MAX = 255;

  public ClaimRequest {
    checkName("client", client);
    owner.ifPresent(name -> checkName("owner", name));
    lease.ifPresent(ClaimRequest::checkLease);
  }

  /** A request without an owner, for as long as the pool says. */
  public static ClaimRequest of(String client) {
    return new ClaimRequest(client, Optional.empty(), Optional.empty());
  }

  static void checkLease(Duration lease) {
    if (lease.compareTo(PoolSpec.LEASE_MIN) < 0 || lease.compareTo(PoolSpec.DURATION_MAX) > 0) {
      throw new IllegalArgumentException(
          "lease is %s: expected %s to %s"
              .formatted(
                  DurationText.format(lease),
                  DurationText.format(PoolSpec.LEASE_MIN),
                  DurationText.format(PoolSpec.DURATION_MAX)));
    }
  }

  static void checkName(String what, String name) {
    if (name.isEmpty() || name.length() > NAME_LENGTH_MAX) {
      throw new IllegalArgumentException(
          what
              + " "
              + Quoted.of(name)
              + ": expected 1 to "
              + NAME_LENGTH_MAX
              + " characters, got "
              + name.length());
    }
    for (int i = 0; i < name.length(); i++) {
      if (Character.isISOControl(name.charAt(i))) {
        throw new IllegalArgumentException(
            what + " " + Quoted.of(name) + ": character " + i + " is a control character");
      }
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      throw new IllegalArgumentException(
          what + " " + Quoted.of(name) + ": half of a surrogate pair is missing");
    }
  }
}
