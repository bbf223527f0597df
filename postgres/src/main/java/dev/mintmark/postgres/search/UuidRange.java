package dev.mintmark.postgres.search;

import dev.mintmark.MalformedIdException;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.util.Optional;
import java.util.UUID;

/**
 * All UUIDs whose text starts with the same characters. The first digits are the first bits, so
 * these UUIDs are a range:
 *
 * <pre>
 *   01FZG9   from 01FZG900000000000000000000   to 01FZG9ZZZZZZZZZZZZZZZZZZZZ
 *   017fe0   from 017fe000-0000-0000-...       to 017fe0ff-ffff-ffff-...
 * </pre>
 *
 * @param first the least UUID, unsigned
 * @param last the greatest UUID, unsigned
 */
record UuidRange(UUID first, UUID last) implements BeginningRange {
  private static final int ULID_DIGITS = 26;
  private static final int HEX_DIGITS = 32;

  /** The UUIDs whose ULID starts so; empty unless a ULID can start with these 1 to 26 digits. */
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

  /** The UUIDs whose digits start so, ignoring hyphens; empty unless there are 1 to 32 digits. */
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
