package dev.mintmark.app.view;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.ManyClaims;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A claim as its holder names it, as JSON.
 *
 * @param token a number in a string, since it can pass 2^53-1
 */
public record HeldClaimJson(@Nullable String value, @Nullable String token) {
  private static final Pattern TOKEN = Pattern.compile("[0-9]{1,18}");

  static HeldClaimJson of(ManyClaims.Named claim) {
    return new HeldClaimJson(claim.value(), Long.toString(claim.token()));
  }

  ManyClaims.Named toNamed() {
    if (value == null || token == null) {
      throw new IllegalArgumentException("claims: expected a value and a token of each");
    }
    if (!TOKEN.matcher(token).matches()) {
      throw new IllegalArgumentException(
          "claims: token is %s: expected the number of the claim, as \"7\""
              .formatted(Quoted.of(token)));
    }
    return new ManyClaims.Named(value, Long.parseLong(token));
  }
}
