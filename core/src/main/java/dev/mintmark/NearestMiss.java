package dev.mintmark;

import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says why a text is no identifier: finds the kind to which it comes nearest, and what is wrong
 * with it there. A table with one row for each kind that has a fixed length.
 */
final class NearestMiss {
  /** The most characters that are wrong, missing or too many in a text that was meant to be one. */
  private static final int ERRORS_MAX = 4;

  private static final List<Row> ROWS =
      List.of(
          new Row("ULID", Crockford32.LENGTH, NearestMiss::isCrockford, Ulid::parse),
          new Row("UUID", 36, c -> HexFormat.isHexDigit(c) || c == '-', Uuids::parse),
          new Row("hex", HexNotation.DIGITS, HexFormat::isHexDigit, HexNotation.PLAIN::parse),
          new Row("ObjectId", 24, HexFormat::isHexDigit, NearestMiss::refuse),
          new Row("KSUID", 27, NearestMiss::isLetterOrDigit, NearestMiss::refuse),
          new Row("base64url", Base64Url.LENGTH, NearestMiss::isUrlSafe, Form.BASE64URL::read),
          new Row("NanoID", 21, NearestMiss::isUrlSafe, NearestMiss::refuse));

  /** A prefix of a TypeID, and what may have been its suffix. */
  private static final Pattern TYPEID = Pattern.compile("([A-Za-z_]{1,63})_([0-9A-Za-z]{22,30})");

  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");

  private NearestMiss() {}

  /**
   * A kind.
   *
   * @param isDigit whether a character may be in its text
   * @param parser throws the reason for a text of this length
   */
  private record Row(String what, int length, IntPredicate isDigit, Function<String, ?> parser) {
    int errors(String text) {
      long wrong = text.chars().filter(c -> !isDigit.test(c)).count();
      return Math.abs(text.length() - length) + (int) wrong;
    }

    Optional<String> reason(String text) {
      if (text.length() != length) {
        return Optional.of(message(Malformed.length(what, text, length)));
      }
      for (int i = 0; i < text.length(); i++) {
        if (!isDigit.test(text.charAt(i))) {
          return Optional.of(
              message(Malformed.character(what, text, i, "a character of this kind")));
        }
      }
      return Optional.empty();
    }
  }

  /** Returns how many characters of {@code text} are wrong, missing or too many, at least. */
  static int errors(String text) {
    String rest = text.substring(text.lastIndexOf('_') + 1);
    return ROWS.stream()
        .mapToInt(row -> Math.min(row.errors(text), row.errors(rest)))
        .min()
        .orElseThrow();
  }

  /** Returns the reason, in a sentence, with the index of the character if it is one. */
  static String of(String pasted) {
    String text = Pasted.innermost(pasted).text();
    if (text.length() > Inspector.LENGTH_MAX) {
      return message(
          Malformed.because(
              "identifier",
              text,
              "it has %s characters: expected at most %s"
                  .formatted(text.length(), Inspector.LENGTH_MAX)));
    }
    return ofSegments(text)
        .or(() -> ofTypeId(text))
        .or(() -> ofNumber(text))
        .or(() -> ofFixedLength(text))
        .or(() -> refusal(Form::readAny, text))
        .orElseGet(() -> message(Malformed.because("identifier", text, "no kind has this value")));
  }

  private static Optional<String> ofSegments(String text) {
    boolean hasSegments = text.chars().filter(c -> c == ':').count() >= 2;
    return hasSegments ? refusal(Puri::parse, text) : Optional.empty();
  }

  private static Optional<String> ofTypeId(String text) {
    Matcher matcher = TYPEID.matcher(text);
    return matcher.matches() ? refusal(TypeId::parse, text) : Optional.empty();
  }

  private static Optional<String> ofNumber(String text) {
    return NUMBER.matcher(text).matches() ? refusal(Form.INT::read, text) : Optional.empty();
  }

  private static Optional<String> ofFixedLength(String text) {
    return ROWS.stream()
        .min(Comparator.comparingInt(row -> row.errors(text)))
        .filter(row -> row.errors(text) <= ERRORS_MAX && text.length() > 2 * ERRORS_MAX)
        .flatMap(
            row ->
                text.length() == row.length
                    ? refusal(row.parser, text).or(() -> row.reason(text))
                    : row.reason(text));
  }

  private static Optional<String> refusal(Function<String, ?> parser, String text) {
    try {
      Object unused = parser.apply(text);
      return Optional.empty();
    } catch (MalformedIdException e) {
      return Optional.of(message(e));
    }
  }

  private static String message(MalformedIdException e) {
    return String.valueOf(e.getMessage());
  }

  /** Kinds without a parser of their own have only digits to be wrong. */
  private static Object refuse(String text) {
    return text;
  }

  private static boolean isCrockford(int c) {
    return c < 128 && Crockford32.isLooseDigit(c) && "ILOilo".indexOf(c) < 0;
  }

  private static boolean isLetterOrDigit(int c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }

  private static boolean isUrlSafe(int c) {
    return isLetterOrDigit(c) || c == '-' || c == '_';
  }
}
