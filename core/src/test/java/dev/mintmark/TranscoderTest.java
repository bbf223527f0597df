package dev.mintmark;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

@Domain(Ids.class)
@Domain(DomainContext.Global.class)
class TranscoderTest {
  @Property
  void writesWhatTheFormWrites(
      @ForAll Ulid id, @ForAll("readable") Form from, @ForAll("ofOneId") Form to) {
    boolean looksLikeAnother =
        to == Form.TIME && (from == Form.INT || from == Form.BIN) && id.toString().startsWith("00");
    assumeThat(looksLikeAnother).isFalse();

    IdReader reader = to == Form.TIME ? IdReader.of(IdType.ulids()) : IdReader.of(from);
    assertThat(transcoded(Transcoder.of(reader, to), from.write(id))).isEqualTo(to.write(id));
  }

  @Property
  void readsAnyFormAndEitherCase(
      @ForAll Ulid id, @ForAll("readable") Form from, @ForAll boolean upper) {
    assumeThat(upper && (from == Form.BIN || from == Form.OCT || from == Form.BASE64URL)).isFalse();
    String text = upper ? from.write(id).toUpperCase(Locale.ROOT) : from.write(id);

    assertIsReadAsAnything(text.getBytes(UTF_8), Form.UUID);
  }

  @Property
  void aChangedByteIsRefusedWhereTheFormRefusesIt(
      @ForAll Ulid id,
      @ForAll("ofFixedWidth") Form form,
      @ForAll @IntRange(max = 35) int place,
      @ForAll byte to) {
    byte[] bytes = form.write(id).getBytes(UTF_8);
    bytes[place % bytes.length] = to;

    for (Form written : new Form[] {Form.UUID, Form.HEX, Form.TEXT, Form.LOWER, Form.INT}) {
      assertThat(outcome(Transcoder.of(form, written), bytes))
          .isEqualTo(outcomeOfForm(() -> form.read(Utf8.read(bytes)), written));
      assertIsReadAsAnything(bytes, written);
    }
  }

  @Property
  void anyTextIsReadOrRefusedAsFormsDo(
      @ForAll @StringLength(max = 40) @CharRange(from = '\0', to = '\u0200') String text) {
    for (Form form : new Form[] {Form.UUID, Form.HEX, Form.TEXT, Form.INT}) {
      assertThat(outcome(Transcoder.of(form, Form.TEXT), text.getBytes(UTF_8)))
          .isEqualTo(outcomeOfForm(() -> form.read(text), Form.TEXT));
    }
  }

  @Test
  void everyByteInEveryPlaceIsReadOrRefusedAsFormsDo() {
    String id = "017fe093-7adf-9932-aaaa-01fd0ba14d3f";
    for (int place = 0; place < id.length(); place++) {
      for (int each = 0; each < 128; each++) {
        byte[] bytes = id.getBytes(UTF_8);
        bytes[place] = (byte) each;
        String text = new String(bytes, UTF_8);

        assertThat(outcome(Transcoder.of(Form.UUID, Form.HEX), bytes))
            .isEqualTo(outcomeOfForm(() -> Form.UUID.read(text), Form.HEX));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#malformed")
  void malformedVectorsAreRefusedWithTheirReason(JsonNode vector) {
    byte[] bytes = vector.get("input").asString().getBytes(UTF_8);
    Transcoder transcoder = Transcoder.of(Form.parse(vector.get("form").asString()), Form.TEXT);

    assertThat(transcoder.transcode(bytes, 0, bytes.length, new byte[26], 0))
        .isEqualTo(Transcoder.MALFORMED);
    assertThat(transcoder.malformed(bytes, 0, bytes.length))
        .hasMessageContaining(vector.get("reason").asString());
  }

  @Test
  void writesNothingElse() {
    byte[] source = "<017fe093-7adf-9932-aaaa-01fd0ba14d3f>".getBytes(UTF_8);
    byte[] target = new byte[30];
    Arrays.fill(target, (byte) '.');

    assertThat(Transcoder.to(Form.TEXT).transcode(source, 1, 36, target, 2)).isEqualTo(26);
    assertThat(new String(target, UTF_8)).isEqualTo("..01FZG96YPZK4SANAG1ZM5T2K9Z..");
  }

  @Property
  void writesATextBeforeEach(@ForAll Ulid id, @ForAll("ofOneId") Form to) {
    Transcoder transcoder = Transcoder.to(to).withPrefix("soundcloud:tracks:");

    assertThat(transcoded(transcoder, id.toString()))
        .isEqualTo("soundcloud:tracks:" + to.write(id));
    assertThat(transcoded(transcoder.withPrefix("x:"), id.toString()))
        .isEqualTo("x:soundcloud:tracks:" + to.write(id));
    assertThat(outcome(transcoder, "bad".getBytes(UTF_8))).startsWith("malformed identifier");
  }

  @Test
  void refusesAPrefixThatFilesCouldNotHold() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Transcoder.to(Form.TEXT).withPrefix("a,b"))
        .withMessage("prefix \"a,b\": expected letters, digits and - . _ ~ % :");
  }

  @Test
  void convertsTextsWithAFunction() {
    Transcoder transcoder =
        Transcoder.ofTexts(
            text -> {
              if (text.isEmpty()) {
                throw new MalformedIdException("malformed: empty");
              }
              return "<" + text + ">";
            },
            9);

    assertThat(transcoded(transcoder, "017fe09")).isEqualTo("<017fe09>");
    assertThat(transcoded(transcoder, "")).isEqualTo("malformed: empty");
    assertThat(transcoder.lengthMax()).isEqualTo(9);
    assertThatIllegalStateException().isThrownBy(() -> transcoder.withPrefix("a:"));
    assertThatIllegalStateException().isThrownBy(() -> transcoder.reading(IdReader.ranked()));
    assertThatIllegalArgumentException().isThrownBy(() -> Transcoder.ofTexts(text -> text, 0));
  }

  /** Both would be read as the same text otherwise. */
  @Test
  void bytesThatAreNotUtf8AreMalformed() {
    Transcoder hashing = Transcoder.ofTexts(text -> Integer.toHexString(text.hashCode()), 8);
    byte[] target = new byte[8];
    byte[] latin = "xM\u00fcller".getBytes(ISO_8859_1);
    byte[] cut = Arrays.copyOf("M\u20ac".getBytes(UTF_8), 3);
    byte[] replacement = "M\ufffd\u20ac".getBytes(UTF_8);

    assertThat(hashing.transcode(latin, 1, latin.length - 1, target, 0))
        .isEqualTo(Transcoder.MALFORMED);
    assertThat(hashing.malformed(latin, 1, latin.length - 1))
        .hasMessage("malformed identifier \"M\ufffdller\": not UTF-8: byte 1 is 0xFC");
    assertThat(hashing.malformed(cut, 0, cut.length))
        .hasMessage("malformed identifier \"M\ufffd\": not UTF-8: byte 1 is 0xE2");
    assertThat(hashing.transcode(replacement, 0, replacement.length, target, 0)).isPositive();
  }

  @Test
  void refusesFormsThatItCannotReadOrWrite() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Transcoder.of(Form.TIME, Form.TEXT))
        .withMessageContaining("\"time\" cannot be read back");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Transcoder.to(Form.PURI))
        .withMessageContaining("needs a namespace and a collection");
  }

  @Provide
  Arbitrary<Form> readable() {
    return Ids.forms(Form::isReadable);
  }

  /** The forms that need no more than the 128 bits. */
  @Provide
  Arbitrary<Form> ofOneId() {
    return Ids.forms(form -> !form.isOfCollection());
  }

  @Provide
  Arbitrary<Form> ofFixedWidth() {
    return Arbitraries.of(Form.UUID, Form.HEX, Form.TEXT);
  }

  /**
   * A text of 128 bits is read as {@link Form#readAny} reads it. Another may be an identifier of
   * other bits: a number may be as long as a form of 128 bits, and white space is ignored.
   */
  private static void assertIsReadAsAnything(byte[] bytes, Form to) {
    String outcome = outcome(Transcoder.to(to), bytes);

    assertThat(outcome).isEqualTo(outcomeOf(() -> IdReader.ranked().write(Utf8.read(bytes), to)));
    try {
      assertThat(outcome).isEqualTo(to.write(Form.readAny(Utf8.read(bytes))));
    } catch (MalformedIdException e) {
      return;
    }
  }

  private static String transcoded(Transcoder transcoder, String text) {
    return outcome(transcoder, text.getBytes(UTF_8));
  }

  private static String outcome(Transcoder transcoder, byte[] bytes) {
    byte[] target = new byte[transcoder.lengthMax()];
    int length = transcoder.transcode(bytes, 0, bytes.length, target, 0);
    return length == Transcoder.MALFORMED
        ? String.valueOf(transcoder.malformed(bytes, 0, bytes.length).getMessage())
        : new String(target, 0, length, UTF_8);
  }

  private static String outcomeOfForm(Supplier<Ulid> reading, Form to) {
    return outcomeOf(() -> to.write(reading.get()));
  }

  private static String outcomeOf(Supplier<String> writing) {
    try {
      return writing.get();
    } catch (MalformedIdException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
