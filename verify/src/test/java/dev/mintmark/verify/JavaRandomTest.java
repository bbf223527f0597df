package dev.mintmark.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Puri;
import dev.mintmark.SequenceId;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.fixtures.Conformance;
import dev.mintmark.fixtures.Conformance.Operation;
import dev.mintmark.fixtures.Conformance.Surface;
import dev.mintmark.fixtures.RandomId;
import dev.mintmark.fixtures.RandomIds;
import java.math.BigInteger;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The values of core, with which all other surfaces are compared, agree with the JDK's own {@link
 * BigInteger}, {@link UUID}, {@link Instant}, {@link Pattern} and {@link URLEncoder} on all values
 * of {@link RandomIds}.
 */
@Tag("matrix")
class JavaRandomTest {
  private static final String BASE_32 = "0123456789abcdefghijklmnopqrstuv";
  private static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  private static final Pattern ULID = Pattern.compile("[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}");
  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");
  private static final Pattern TYPE_ID =
      Pattern.compile("([a-z]([a-z_]{0,61}[a-z])?_)?[0-7][0-9a-hjkmnp-tv-z]{25}");

  @Test
  void randomValuesAreConvertedAsInTheJdk() {
    RandomIds.forEachBatch(batch -> batch.forEach(JavaRandomTest::assertAsInTheJdk));

    Conformance.of(Surface.JAVA, "")
        .values(
            Operation.FORMAT,
            Operation.PARSE,
            Operation.REJECT,
            Operation.TIME,
            Operation.BOUNDS,
            Operation.SEQUENCE,
            Operation.TYPEID,
            Operation.PURI);
  }

  private static void assertAsInTheJdk(RandomId id) {
    UUID uuid = id.uuid();
    String text = crockford(uuid);
    String typeId = RandomId.TYPE + "_" + text.toLowerCase(Locale.ROOT);
    long first = uuid.getMostSignificantBits();
    Instant time = Instant.ofEpochMilli(first >>> 16);

    assertThat(Ulid.of(uuid).toString()).isEqualTo(text);
    assertThat(Ulid.parse(text).toUuid()).isEqualTo(uuid);
    assertThat(Ulid.parse(text.toLowerCase(Locale.ROOT)).toUuid()).isEqualTo(uuid);
    assertThat(Uuids.parse(uuid.toString())).isEqualTo(uuid);
    assertThat(Ulid.of(uuid).time()).isEqualTo(time);
    assertThat(Ulid.min(time).toUuid()).isEqualTo(new UUID(first & ~0xFFFFL, 0));
    assertThat(Ulid.max(time).toUuid()).isEqualTo(new UUID(first | 0xFFFF, -1));
    assertThat(TypeId.of(RandomId.TYPE, uuid).toString()).isEqualTo(typeId);
    assertThat(TypeId.parse(typeId).uuid()).isEqualTo(uuid);
    assertNumber(id);
    assertPuri(id.segment());
    assertReadOrNot(id.damaged());
  }

  private static void assertNumber(RandomId id) {
    String digits = BigInteger.valueOf(id.number()).toString();
    String prefixed =
        RandomId.PREFIX + "0".repeat(Math.max(0, id.width() - digits.length())) + digits;
    SequenceId.Format format = new SequenceId.Format(RandomId.PREFIX, id.width());

    assertThat(format.of(id.number()).toString()).isEqualTo(prefixed);
    assertThat(format.parse(prefixed).number()).isEqualTo(id.number());
  }

  /** A form's encoding is that of a pURI but for these four characters. */
  private static void assertPuri(String segment) {
    String encoded =
        URLEncoder.encode(segment, UTF_8)
            .replace("+", "%20")
            .replace("*", "%2A")
            .replace("%7E", "~");

    assertThat(Puri.of("a", "b", segment).toString()).isEqualTo("a:b:" + encoded);
    assertThat(Puri.parse("a:b:" + encoded).identifier()).isEqualTo(segment);
  }

  private static void assertReadOrNot(List<String> damaged) {
    assertThat(Ulid.tryParse(damaged.get(0)).isPresent())
        .as(damaged.get(0))
        .isEqualTo(ULID.matcher(damaged.get(0)).matches());
    assertThat(Uuids.tryParse(damaged.get(1)).isPresent())
        .as(damaged.get(1))
        .isEqualTo(UUID_TEXT.matcher(damaged.get(1)).matches());
    assertThat(TypeId.tryParse(damaged.get(2)).isPresent())
        .as(damaged.get(2))
        .isEqualTo(TYPE_ID.matcher(damaged.get(2)).matches());
  }

  private static String crockford(UUID uuid) {
    String base32 = new BigInteger(uuid.toString().replace("-", ""), 16).toString(32);
    StringBuilder text = new StringBuilder("0".repeat(26 - base32.length()));
    base32.chars().forEach(digit -> text.append(CROCKFORD.charAt(BASE_32.indexOf(digit))));
    return text.toString();
  }
}
