package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

@Domain(Ids.class)
@Domain(DomainContext.Global.class)
class FormTest {
  private static final Ulid SEED_002 = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z");

  /** As the article prints them, not as anything derives them. */
  @ParameterizedTest
  @CsvSource({
    "text, 01FZG96YPZK4SANAG1ZM5T2K9Z",
    "lower, 01fzg96ypzk4sanag1zm5t2k9z",
    "uuid, 017fe093-7adf-9932-aaaa-01fd0ba14d3f",
    "hex, 017fe0937adf9932aaaa01fd0ba14d3f",
    "int, 1993204641137431665444657879740140863",
    "bin, 0b10111111111100000100100110111101011011111100110010011001010101010101010100000000"
        + "11111110100001011101000010100110100111111",
    "oct, 0o13776022336557631145252520037641350246477",
    "float, 1.9932046411374316e+36",
    "time-text, 01FZG96YPZ",
    "randomness-text, K4SANAG1ZM5T2K9Z",
    "time-low, 25157779",
    "time-mid, 31455",
    "time-hi-version, 39218",
    "clock-seq, 10922",
    "clock-seq-hi-variant, 170",
    "clock-seq-low, 170",
    "node, 2186333474111",
    "fields, 25157779 31455 39218 170 170 2186333474111"
  })
  void formsAreThoseThatSeed002Prints(String label, String text) {
    assertThat(SEED_002.to(Form.parse(label))).isEqualTo(text);
  }

  @Provide
  Arbitrary<Form> readable() {
    return Ids.forms(Form::isReadable);
  }

  @Property
  void readableFormReadsBack(@ForAll Ulid id, @ForAll("readable") Form form) {
    assertThat(form.read(form.write(id))).isEqualTo(id);
  }

  @Property
  void readableFormIsKnownByItsShape(@ForAll Ulid id, @ForAll("readable") Form form) {
    String text = form.write(id);
    boolean numberAsLongAsAnotherForm =
        (form == Form.INT || form == Form.BIN) && (text.length() == 26 || text.length() == 32);
    assumeThat(numberAsLongAsAnotherForm).isFalse();

    assertThat(Form.readAny(text)).isEqualTo(id);
  }

  @Property
  void bracesAndUrnAreReadInEitherCase(@ForAll Ulid id) {
    String uuid = id.to(Form.UUID);

    assertThat(Form.readAny("{" + uuid + "}")).isEqualTo(id);
    assertThat(Form.readAny("urn:uuid:" + uuid)).isEqualTo(id);
    assertThat(Form.readAny(("urn:uuid:" + uuid).toUpperCase(Locale.ROOT))).isEqualTo(id);
  }

  @Property
  void anyTextIsReadOrRefused(@ForAll String text, @ForAll Form form) {
    assertThatCode(
            () -> {
              try {
                form.read(text);
                Form.readAny(text);
              } catch (IllegalArgumentException expected) {
                assertThat(expected).hasMessageNotContaining("null");
              }
            })
        .doesNotThrowAnyException();
  }

  @Test
  void numberOf26Or32DigitsIsTakenForTheFormOfThatLength() {
    String digits26 = "01234567890123456789012345";
    String digits32 = "12345678901234567890123456789012";
    String bits24 = "0b101010101010101010101010";

    assertThat(Form.readAny(digits26)).isEqualTo(Ulid.parse(digits26));
    assertThat(Form.readAny(digits32)).isEqualTo(Form.HEX.read(digits32));
    assertThat(Form.readAny(bits24)).isEqualTo(Ulid.parse(bits24));
    assertThat(Form.readAny("0o" + "7".repeat(24)).to(Form.OCT)).isEqualTo("0o" + "7".repeat(24));
  }

  /** No vector, for the inspector reads a number of a sequence there. */
  @Test
  void smallNumberWithLeadingZerosIsRefused() {
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> Form.INT.read("007"))
        .withMessageContaining("it has leading zeros");
    assertThatExceptionOfType(MalformedIdException.class).isThrownBy(() -> Form.readAny("007"));
  }

  @Test
  void numberOf22DigitsIsNoBase64Url() {
    assertThat(Form.readAny("1".repeat(22)).to(Form.INT)).isEqualTo("1".repeat(22));
    assertThat(Form.readAny("0b" + "1".repeat(20)).to(Form.BIN)).isEqualTo("0b" + "1".repeat(20));
  }

  @Test
  void textOfNoShapeIsRefusedWithItsLength() {
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> Form.readAny("what is this?"))
        .withMessage(
            "malformed identifier \"what is this?\": not a ULID, a UUID or any other form"
                + " of 128 bits (13 characters)");
  }

  @ParameterizedTest
  @EnumSource(
      value = Form.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"TEXT", "LOWER", "UUID", "HEX", "INT", "BIN", "OCT", "BYTES", "BASE64URL"})
  void formThatDropsBitsCannotBeReadBack(Form form) {
    assertThat(form.isReadable()).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> form.read("1.0"))
        .withMessage(
            "form \"%s\" cannot be read back: it does not hold 128 bits and nothing else",
            form.label());
  }

  @Test
  void puriNeedsACollection() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SEED_002.to(Form.PURI))
        .withMessage(
            "form \"puri\" of 01FZG96YPZK4SANAG1ZM5T2K9Z needs a namespace and a collection:"
                + " see Puri.of(namespace, collection, id)");
  }

  @Test
  void labelsAreThoseOfTheCommandLine() {
    assertThat(Arrays.stream(Form.values()).map(Form::label))
        .containsExactly(
            ("text lower uuid hex int bin oct float bytes base64url time time-text randomness-text"
                    + " puri time-low time-mid time-hi-version clock-seq clock-seq-hi-variant"
                    + " clock-seq-low node fields compact mask")
                .split(" "));
  }

  @Test
  void unknownLabelIsRefusedWithThoseThereAre() {
    assertThat(Form.tryParse("TEXT")).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Form.parse("base58"))
        .withMessage(
            "unknown form \"base58\": expected one of text, lower, uuid, hex, int, bin, oct, float,"
                + " bytes, base64url, time, time-text, randomness-text, puri, time-low, time-mid,"
                + " time-hi-version, clock-seq, clock-seq-hi-variant, clock-seq-low, node, fields,"
                + " compact, mask");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.0",
    "5, 5.0",
    "1000, 1000.0",
    "9007199254740993, 9007199254740992.0",
    "9999999999999998, 9999999999999998.0",
    "9999999999999999, 1e+16",
    "10000000000000000, 1e+16",
    "12000000000000000000, 1.2e+19",
    "1152921504606846976, 1.152921504606847e+18",
    "618970019642690137449562112, 6.189700196426902e+26",
    "5192296858534827628530496329220096, 5.192296858534828e+33",
    "5316911983139663491615228241121378304, 5.316911983139664e+36",
    "340282366920938463463374607431768211455, 3.402823669209385e+38"
  })
  void floatIsLaidOutAsPythonDoes(String number, String expected) {
    assertThat(Form.INT.read(number).to(Form.FLOAT)).isEqualTo(expected);
  }

  @Property
  void floatReadsBackAsTheSameDouble(@ForAll Ulid id) {
    double nearest = new BigInteger(id.to(Form.INT)).doubleValue();

    assertThat(Double.parseDouble(id.to(Form.FLOAT))).isEqualTo(nearest);
    assertThat(id.to(Form.FLOAT).length()).isLessThanOrEqualTo(22);
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#of128Bits")
  void readableFormsOfTheVectorsReadBack(JsonNode vector) {
    Ulid id = Form.readAny(vector.path("input").stringValue());

    vector
        .path("forms")
        .properties()
        .forEach(
            form -> {
              Form known = Form.parse(form.getKey());
              if (known.isReadable()) {
                assertThat(known.read(form.getValue().stringValue())).isEqualTo(id);
              }
            });
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#malformed")
  void malformedVectorsAreRefusedWithTheirReason(JsonNode vector) {
    String input = vector.path("input").stringValue();
    Form form = Form.parse(vector.path("form").stringValue());

    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> form.read(input))
        .withMessageContaining(vector.path("reason").stringValue());
    assertThatExceptionOfType(MalformedIdException.class).isThrownBy(() -> Form.readAny(input));
  }
}
