package dev.mintmark.app.cli.common;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the user calls the program: {@code ./mintmark} in a checkout, {@code mintmark} if it is on
 * the PATH. Messages are written with {@code mintmark} and shown with what the user can type.
 */
public final class CalledAs {
  /** What the user types before the name of a command. */
  public static final String NAME = System.getProperty("mintmark.command", "mintmark");

  /** A test compares the names with the commands: to load their classes would take too long. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?<![-./\\w])mintmark(?= (?:serve|config|mint|inspect|compare|convert|mask|find|ipv6|catalog|init"
              + "|pack|pool|migrate|doctor|key|audit|backup|restore|udf|storm|tour|help|man|completion)\\b)");

  private CalledAs() {}

  /** Returns a message for people with the commands that it names as the user can type them. */
  public static String in(String message) {
    return in(message, NAME);
  }

  static String in(String message, String name) {
    return COMMAND.matcher(message).replaceAll(Matcher.quoteReplacement(name));
  }
}
