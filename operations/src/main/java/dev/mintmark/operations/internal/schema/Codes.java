package dev.mintmark.operations.internal.schema;

import java.util.function.ToIntFunction;

/** Reads the letters that PostgreSQL's catalog has in place of enums. */
final class Codes {
  private Codes() {}

  /**
   * Returns the constant of a letter.
   *
   * @throws IllegalArgumentException if no constant has it
   */
  static <E extends Enum<E>> E find(E[] constants, ToIntFunction<E> letter, String code) {
    for (E constant : constants) {
      if (code.length() == 1 && letter.applyAsInt(constant) == code.charAt(0)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("unknown letter in the catalog: \"" + code + "\"");
  }
}
