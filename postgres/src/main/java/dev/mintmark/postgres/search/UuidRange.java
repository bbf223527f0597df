package dev.mintmark.postgres.search;

import dev.mintmark.MalformedIdException;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.util.Optional;
import java.util.UUID;

/**
 * All UUIDs whose text begins with the same characters. Digits stand for bits from the first on, so
 * they are all those from the least to the greatest:
 *
 * <pre>
 *   01FZG9   from 01FZG900000000000000000000   to 01FZG9ZZZZZZZZZZZZZZZZZZZZ
 *   017fe0   from 017fe000-0000-0000-...       to 017fe0ff-ffff-ffff-...
 * </pre>
 *
 * @param first the least of them, unsigned
 * @param last the greatest
 */
record UuidRange(UUID first, UUID last) {
  private static final int ULID_DIGITS = 26;
  private static final int HEX_DIGITS = 32;

  /** Those whose ULID begins so; empty unless it is 1 to 26 digits that a ULID can begin with. */
  static Optional<UuidRange> ofUlids(String prefix) {
    if (prefix.isEmpty() || prefix.length() > ULID_DIGITS) {
      return Optional.empty();
    }
    int missing = ULID_DIGITS - prefix.length();
    return Ulid.tryParse(prefix + "0".repeat(missing))
        .flatMap(
            first ->
                Ulid.tryParse(prefix + "Z".repeat(missing))
                    .map(last -> new UuidRange(first.toUuid(), last.toUuid())));
  }

  /** Those whose hexadecimal digits begin so, hyphens aside; empty unless it is 1 to 32 of them. */
  static Optional<UuidRange> ofHex(String prefix) {
    String digits = prefix.replace("-", "");
    if (digits.isEmpty() || digits.length() > HEX_DIGITS) {
      return Optional.empty();
    }
    int missing = HEX_DIGITS - digits.length();
    try {
      return Optional.of(
          new UuidRange(
              Uuids.parseLoosely(digits + "0".repeat(missing)),
              Uuids.parseLoosely(digits + "f".repeat(missing))));
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }
}
