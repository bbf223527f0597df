package dev.mintmark;

import java.math.BigInteger;

/**
 * A field of a {@link Layout}.
 *
 * @param width its number of bits
 * @param name its name in the specification
 * @param meaning the meaning of its number, in a few words
 * @param isRandom whether its bits are random
 * @param ticks the ticks of the layout's {@link Timescale} in its unit; 0 if it is not a time
 * @param first its lowest valid number
 * @param last its highest valid number
 */
record Slot(
    int width,
    String name,
    String meaning,
    boolean isRandom,
    long ticks,
    BigInteger first,
    BigInteger last) {

  static Slot plain(int width, String name, String meaning) {
    return ticks(width, name, 0, meaning);
  }

  static Slot random(int width, String name) {
    String meaning = "random, or counted up within one instant";
    return new Slot(width, name, meaning, true, 0, BigInteger.ZERO, ones(width));
  }

  static Slot ticks(int width, String name, long ticks, String meaning) {
    return new Slot(width, name, meaning, false, ticks, BigInteger.ZERO, ones(width));
  }

  /** Returns a field with the same number in every identifier of the kind. */
  static Slot fixed(int width, String name, BigInteger number, String meaning) {
    return new Slot(width, name, meaning, false, 0, number, number);
  }

  static Slot version(int version) {
    return fixed(4, "ver", BigInteger.valueOf(version), "version of the UUID");
  }

  static Slot variant() {
    BigInteger variant = BigInteger.valueOf(Uuids.RFC_VARIANT);
    return fixed(2, "var", variant, "variant of the UUID: 2 is that of RFC 9562");
  }

  /** Returns this with numbers below {@code end} only. */
  Slot below(long end) {
    return new Slot(width, name, meaning, isRandom, ticks, first, BigInteger.valueOf(end - 1));
  }

  boolean isFixed() {
    return first.equals(last);
  }

  boolean admits(BigInteger number) {
    return number.compareTo(first) >= 0 && number.compareTo(last) <= 0;
  }

  /** The highest number of a width. */
  static BigInteger ones(int bits) {
    return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
  }
}
