package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;

/** A notation that is also a form is read by two decoders: one explains, the other knows bits. */
class NotationTest {
  @Property
  void base64UrlIsReadAsItsForm(
      @ForAll
          @StringLength(min = 21, max = 21)
          @CharRange(from = 'A', to = 'Z')
          @CharRange(from = 'a', to = 'z')
          @CharRange(from = '0', to = '9')
          @Chars({'-', '_', '/'})
          String digits,
      @ForAll @Chars({'A', 'Q', 'g', 'w', 'B', '-'}) char last) {
    assertIsReadAs(Form.BASE64URL, Notation.BASE64URL, digits + last);
  }

  @Property
  void ulidIsReadAsItsForm(
      @ForAll @CharRange(from = '0', to = '9') char first,
      @ForAll
          @StringLength(min = 25, max = 25)
          @Chars({'0', '1', '9', 'A', 'a', 'H', 'h', 'J', 'M', 'N', 'P', 'T', 'V', 'z', 'Z', 'u'})
          String rest) {
    assertIsReadAs(Form.TEXT, Notation.ULID, first + rest);
  }

  private static void assertIsReadAs(Form form, Notation notation, String text) {
    assertThat(notation.decode(text)).as(text).isEqualTo(read(form, text));
  }

  private static Optional<BigInteger> read(Form form, String text) {
    try {
      return Optional.of(form.read(text).toBigInteger());
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }
}
