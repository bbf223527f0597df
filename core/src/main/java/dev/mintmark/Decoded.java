package dev.mintmark;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Optional;

/**
 * An identifier that was read: its bits, and what they are taken for.
 *
 * @param layout the meaning of the bits
 * @param number the bits in this layout
 * @param bits the 128 bits that the text stands for, if it can be one of the forms of 128 bits
 * @param time the time in the identifier, if it carries one
 */
record Decoded(Layout layout, BigInteger number, Optional<Ulid> bits, Optional<Instant> time) {
  /** Returns 128 bits that are taken for a layout. */
  static Decoded of(Layout layout, Ulid bits) {
    BigInteger number = bits.toBigInteger();
    return new Decoded(layout, number, Optional.of(bits), layout.time(number));
  }

  /** Returns a number that is taken for a layout. */
  static Decoded of(Layout layout, BigInteger number) {
    return new Decoded(
        layout,
        number,
        layout.hasUuid() ? Optional.of(Ulid.from(number)) : Optional.empty(),
        layout.time(number));
  }

  /** Returns this as a text that is also one of the forms of 128 bits. */
  Decoded withBits(Optional<Ulid> others) {
    return new Decoded(layout, number, others, time);
  }

  /** Returns this with the time that another epoch gives. */
  Decoded withTime(Instant other) {
    return new Decoded(layout, number, bits, Optional.of(other));
  }

  /**
   * Writes the identifier in a form. 128 bits have every form but {@link Form#TIME}, whatever they
   * are taken for.
   *
   * @param text the text that was read, for the message
   * @throws MalformedIdException if it does not have this form
   */
  String write(Form form, String text) {
    Optional<String> written =
        form == Form.TIME
            ? time.map(Form::timeText)
            : bits.map(form::write).or(() -> layout.write(number, form));
    return written.orElseThrow(() -> without(form, text));
  }

  private MalformedIdException without(Form form, String text) {
    String readAs = Quoted.of(text) + ": it is read as " + layout.kind();
    return new MalformedIdException(
        form == Form.TIME
            ? "no time in " + readAs
            : "no form %s of %s, which has %s bits"
                .formatted(Quoted.of(form.label()), readAs, layout.width()));
  }
}
