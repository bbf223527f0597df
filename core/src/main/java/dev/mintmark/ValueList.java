package dev.mintmark;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Values that stand one by one in a list: voucher codes, phone numbers. They have no order but that
 * of the list.
 */
public final class ValueList implements Block {
  /** The most values that one list may have. */
  public static final int VALUES_MAX = 1 << 20;

  /** The longest value and the longest name of a list, in characters. */
  public static final int LENGTH_MAX = 255;

  private final String name;
  private final List<String> values;

  /** The positions of the values, ascending by value. */
  private final Integer[] byValue;

  private ValueList(String name, List<String> values) {
    this.name = name;
    this.values = List.copyOf(values);
    this.byValue = new Integer[values.size()];
    Arrays.setAll(byValue, i -> i);
    Arrays.sort(byValue, Comparator.comparing(this.values::get));
  }

  /**
   * A list of the given values.
   *
   * @param name what the list is called, 1 to {@value #LENGTH_MAX} characters, such as the name of
   *     the file it is kept in
   * @throws IllegalArgumentException if the name or a value is empty, too long, begins or ends with
   *     white space or has a control character; if a value is there twice, or there are none or
   *     more than {@value #VALUES_MAX}
   */
  public static ValueList of(String name, List<String> values) {
    checkText("the name of a list", name);
    if (values.isEmpty() || values.size() > VALUES_MAX) {
      throw wrong(name, "it has %d values: expected 1 to %d".formatted(values.size(), VALUES_MAX));
    }
    for (int i = 0; i < values.size(); i++) {
      checkText("list " + Quoted.of(name) + ": value " + (i + 1), values.get(i));
    }
    ValueList list = new ValueList(name, values);
    for (int i = 1; i < list.byValue.length; i++) {
      String value = values.get(list.byValue[i]);
      if (value.equals(values.get(list.byValue[i - 1]))) {
        throw wrong(
            name,
            "values %d and %d are both %s"
                .formatted(list.byValue[i - 1] + 1, list.byValue[i] + 1, Quoted.of(value)));
      }
    }
    return list;
  }

  /**
   * Reads a file in UTF-8 that has one value a line. Empty lines, lines that begin with {@code #}
   * and white space around a value do not count. The list is called by the name of the file.
   *
   * @throws IllegalArgumentException if the file cannot be read, or its values cannot be a list
   */
  public static ValueList read(Path file) {
    List<String> values = new ArrayList<>();
    try (var lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String value = line.strip();
        if (!value.isEmpty() && value.charAt(0) != '#') {
          values.add(value);
        }
      }
    } catch (MalformedInputException e) {
      throw new IllegalArgumentException("list " + Quoted.of(file.toString()) + ": not UTF-8", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "list " + Quoted.of(file.toString()) + ": cannot be read (" + e + ")", e);
    }
    return of(String.valueOf(file.getFileName()), values);
  }

  /** What the list is called. */
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
    int low = 0;
    int high = byValue.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = values.get(byValue[middle]).compareTo(value);
      if (order == 0) {
        return OptionalLong.of(byValue[middle]);
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return OptionalLong.empty();
  }

  @Override
  public boolean overlaps(Block other) {
    return other instanceof ValueList list
        && (list.size() < size()
            ? list.values.stream().anyMatch(value -> positionOf(value).isPresent())
            : values.stream().anyMatch(value -> list.positionOf(value).isPresent()));
  }

  /** Always none: what is not to be handed out is left out of the list. */
  @Override
  public Positions positionsIn(Block other) {
    return Positions.NONE;
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

  private static void checkText(String what, String text) {
    if (text.isEmpty() || text.length() > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "%s is %s: expected 1 to %d characters, got %d"
              .formatted(what, Quoted.of(text), LENGTH_MAX, text.length()));
    }
    if (!text.equals(text.strip())
        || text.chars().anyMatch(Character::isISOControl)
        || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new IllegalArgumentException(
          what
              + " is "
              + Quoted.of(text)
              + ": white space at an end, a control character or half of a surrogate pair");
    }
  }

  private static IllegalArgumentException wrong(String name, String why) {
    return new IllegalArgumentException("list " + Quoted.of(name) + ": " + why);
  }
}
