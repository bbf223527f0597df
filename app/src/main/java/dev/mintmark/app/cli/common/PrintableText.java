package dev.mintmark.app.cli.common;

import java.util.regex.Pattern;

/**
 * Text from outside that is printed for people: names in a database, and what clients have sent,
 * may contain escape sequences of a terminal, or begin a line of their own.
 */
public final class PrintableText {
  /** The characters that {@link dev.mintmark.Quoted} escapes; Cntrl would be those of ASCII. */
  private static final Pattern CONTROL =
      Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Cn}]");

  private PrintableText() {}

  /** Returns a text with {@code ?} in place of each character that is not printed as itself. */
  public static String of(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }
}
