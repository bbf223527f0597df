package dev.mintmark.postgres.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UuidRangeTest {
  @Test
  void aPrefixOfUlidsIsTheRangeFromItsLeastToItsGreatest() {
    assertThat(UuidRange.ofUlids("01fzg9"))
        .contains(ulids("01FZG9" + "0".repeat(20), "01FZG9" + "Z".repeat(20)));
    assertThat(UuidRange.ofUlids("7")).contains(ulids("7" + "0".repeat(25), "7" + "Z".repeat(25)));
  }

  @Test
  void aPrefixOfHexIsARangeWithHyphensOrWithout() {
    UuidRange expected =
        new UuidRange(
            UUID.fromString("017fe093-7000-0000-0000-000000000000"),
            UUID.fromString("017fe093-7fff-ffff-ffff-ffffffffffff"));

    assertThat(UuidRange.ofHex("017fe093-7")).contains(expected);
    assertThat(UuidRange.ofHex("017FE0937")).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "8", "01FZGU", "01FZGI", "01-FZ", " 01", "01FZG96YPZK4SANAG1ZM5T2K9Z0", "0１"})
  void whatNoUlidBeginsWithIsNoRange(String text) {
    assertThat(UuidRange.ofUlids(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "g",
        "017fe0937adf9932aaaa01fd0ba14d3f0",
        " 01",
        "{01",
        "urn:uuid:01",
        "0１"
      })
  void whatNoUuidBeginsWithIsNoRange(String text) {
    assertThat(UuidRange.ofHex(text)).isEmpty();
  }

  @Test
  void aWholeIdentifierIsARangeOfOne() {
    UUID id = UUID.fromString("017fe093-7adf-9932-aaaa-01fd0ba14d3f");

    assertThat(UuidRange.ofUlids("01FZG96YPZK4SANAG1ZM5T2K9Z")).contains(new UuidRange(id, id));
    assertThat(UuidRange.ofHex(id.toString())).contains(new UuidRange(id, id));
  }

  @Test
  void anIdentifierIsInARangeJustWhereItsTextBeginsSo() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      UUID id = new UUID(random.nextLong(), random.nextLong());
      UUID other =
          random.nextBoolean() ? id : new UUID(id.getMostSignificantBits(), random.nextLong());
      String ulid = Ulid.of(id).toString().substring(0, 1 + random.nextInt(26));
      String hex = id.toString().substring(0, 1 + random.nextInt(36));

      assertThat(contains(UuidRange.ofUlids(ulid).orElseThrow(), other))
          .as("seed %d: %s, %s", seed, ulid, other)
          .isEqualTo(Ulid.of(other).toString().startsWith(ulid));
      assertThat(contains(UuidRange.ofHex(hex).orElseThrow(), other))
          .as("seed %d: %s, %s", seed, hex, other)
          .isEqualTo(other.toString().startsWith(hex));
    }
  }

  private static boolean contains(UuidRange range, UUID id) {
    return Uuids.compare(range.first(), id) <= 0 && Uuids.compare(id, range.last()) <= 0;
  }

  private static UuidRange ulids(String first, String last) {
    return new UuidRange(Ulid.parse(first).toUuid(), Ulid.parse(last).toUuid());
  }
}
