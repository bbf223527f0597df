package dev.mintmark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * A list of values, such as voucher codes or phone numbers, in the order of the list. Immutable. A
 * value takes about 120 bytes of memory.
 */
public final class ValueList implements Block {
  /** The most values that one list may have. */
  public static final int VALUES_MAX = 1 << 20;

  /** The longest value and the longest name of a list, in characters. */
  public static final int LENGTH_MAX = 255;

  /** The largest file of a list, in bytes. */
  public static final int FILE_BYTES_MAX = 1 << 26;

  /** The segments of a URL that mean this directory and its parent, also if encoded. */
  private static final Set<String> DOTS = Set.of(".", "..");

  private final String name;
  private final List<String> values;
  private final Map<String, Integer> positions;

  private ValueList(String name, List<String> values, Map<String, Integer> positions) {
    this.name = name;
    this.values = values;
    this.positions = positions;
  }

  /**
   * Returns a list of the given values.
   *
   * @param name the name of the list, 1 to {@value #LENGTH_MAX} characters, such as the name of its
   *     file
   * @throws IllegalArgumentException if the name or a value is empty, too long, begins or ends with
   *     white space or has a control character; if a value is {@code .} or {@code ..}, which the
   *     path of a URL cannot contain; if a value is repeated, or there are none or more than
   *     {@value #VALUES_MAX}
   */
  public static ValueList of(String name, List<String> values) {
    return of(name, values, position -> "value " + (position + 1));
  }

  /**
   * Reads a file in UTF-8 with one value per line. Empty lines, lines that begin with {@code #} and
   * white space around a value are ignored. The name of the file is the name of the list.
   *
   * @throws IllegalArgumentException if the file cannot be read or is larger than {@value
   *     #FILE_BYTES_MAX} bytes, or its values are invalid; the message on a value names its line
   */
  public static ValueList read(Path file) {
    String name = String.valueOf(file.getFileName());
    byte[] bytes = bytes(file);
    List<String> values = new ArrayList<>();
    List<Integer> lines = new ArrayList<>();
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    int line = 0;
    for (int start = 0; start < bytes.length && values.size() <= VALUES_MAX; line++) {
      int end = start;
      while (end < bytes.length && bytes[end] != '\n') {
        end++;
      }
      String value =
          decode(name, line + 1, decoder, ByteBuffer.wrap(bytes, start, end - start)).strip();
      if (!value.isEmpty() && value.charAt(0) != '#') {
        values.add(value);
        lines.add(line + 1);
      }
      start = end + 1;
    }
    return of(name, values, position -> "line " + lines.get(position));
  }

  private static byte[] bytes(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(FILE_BYTES_MAX + 1);
      if (bytes.length > FILE_BYTES_MAX) {
        throw wrong(file.toString(), "larger than %s bytes".formatted(FILE_BYTES_MAX));
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw wrong(file.toString(), "no such file", e);
    } catch (IOException e) {
      throw wrong(file.toString(), "cannot be read: " + e.getMessage(), e);
    }
  }

  private static String decode(String name, int line, CharsetDecoder decoder, ByteBuffer bytes) {
    try {
      String text = decoder.decode(bytes).toString();
      return line == 1 && text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw wrong(name, "line " + line + " is not UTF-8", e);
    }
  }

  /** Checks and copies values; {@code place} returns their location for messages. */
  private static ValueList of(String name, List<String> values, IntFunction<String> place) {
    String faultOfName = fault(name);
    if (!faultOfName.isEmpty()) {
      throw wrong(name, "the name: " + faultOfName);
    }
    if (values.isEmpty() || values.size() > VALUES_MAX) {
      throw wrong(
          name,
          "expected 1 to %s values, it has %s"
              .formatted(VALUES_MAX, values.isEmpty() ? "none" : "more"));
    }
    List<String> kept = List.copyOf(values);
    Map<String, Integer> positions = new HashMap<>(2 * kept.size());
    for (int i = 0; i < kept.size(); i++) {
      String value = kept.get(i);
      String fault = DOTS.contains(value) ? "the path of a URL cannot contain it" : fault(value);
      if (!fault.isEmpty()) {
        throw wrong(name, place.apply(i) + " is " + Quoted.of(value) + ": " + fault);
      }
      Integer earlier = positions.putIfAbsent(value, i);
      if (earlier != null) {
        throw wrong(
            name,
            "%s and %s are both %s"
                .formatted(place.apply(earlier), place.apply(i), Quoted.of(value)));
      }
    }
    return new ValueList(name, kept, positions);
  }

  /** The name of the list. */
  public String name() {
    return name;
  }

  /** The values, in the order of the list. */
  public List<String> values() {
    return values;
  }

  @Override
  public long size() {
    return values.size();
  }

  @Override
  public String valueAt(long position) {
    return values.get((int) Objects.checkIndex(position, size()));
  }

  @Override
  public OptionalLong positionOf(String value) {
    Integer position = positions.get(value);
    return position == null ? OptionalLong.empty() : OptionalLong.of(position);
  }

  @Override
  public boolean overlaps(Block other) {
    return other instanceof ValueList list
        && (list.size() < size()
            ? list.values.stream().anyMatch(positions::containsKey)
            : values.stream().anyMatch(list.positions::containsKey));
  }

  /** Always empty: a list has no exclusions. Omit values that must not be granted. */
  @Override
  public Positions positionsIn(Block other) {
    return Positions.NONE;
  }

  @Override
  public List<Block> without(Block other) {
    if (!overlaps(other)) {
      return List.of(this);
    }
    List<String> rest = values.stream().filter(value -> other.positionOf(value).isEmpty()).toList();
    return rest.isEmpty() ? List.of() : List.of(of(name, rest));
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ValueList list && list.name.equals(name) && list.values.equals(values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, values);
  }

  /** The name of the list. */
  @Override
  public String toString() {
    return name;
  }

  /** The error of a value or a name; empty if it is valid. */
  private static String fault(String text) {
    if (text.isEmpty() || text.length() > LENGTH_MAX) {
      return "expected 1 to %s characters, got %s".formatted(LENGTH_MAX, text.length());
    }
    if (Character.isWhitespace(text.charAt(0))
        || Character.isWhitespace(text.charAt(text.length() - 1))) {
      return "expected no white space at either end";
    }
    if (text.codePoints().anyMatch(ValueList::isControlOrHalf)) {
      return "expected no control character and no half of a surrogate pair";
    }
    return "";
  }

  private static boolean isControlOrHalf(int codePoint) {
    return Character.isISOControl(codePoint)
        || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
  }

  private static IllegalArgumentException wrong(String name, String why) {
    return new IllegalArgumentException("list " + Quoted.of(name) + ": " + why);
  }

  private static IllegalArgumentException wrong(String name, String why, Exception cause) {
    return new IllegalArgumentException("list " + Quoted.of(name) + ": " + why, cause);
  }
}
