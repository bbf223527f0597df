package dev.mintmark.testkit;

import dev.mintmark.IdType;
import dev.mintmark.Kind;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Quoted;
import dev.mintmark.Uuids;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Assertions about identifiers, for every test framework: they throw {@link AssertionError}.
 *
 * <p>Stateless; safe for use by many threads.
 */
public final class IdAssertions {
  private IdAssertions() {}

  /**
   * Asserts that each identifier is greater than the one before it. UUIDs are compared unsigned, as
   * PostgreSQL does ({@link UUID#compareTo} is signed); texts by their characters, as the collation
   * C does.
   *
   * @throws AssertionError if one is not; the message has its position, from 0, and both
   */
  public static <T extends Comparable<? super T>> void assertAscending(Iterable<? extends T> ids) {
    assertAscending(ids, IdAssertions::compare);
  }

  /**
   * As {@link #assertAscending(Iterable)}, in an order of your own: for classes that are not
   * comparable.
   */
  public static <T> void assertAscending(Iterable<? extends T> ids, Comparator<? super T> order) {
    T before = null;
    int position = 0;
    for (T id : ids) {
      Objects.requireNonNull(id, "id");
      if (before != null && order.compare(before, id) >= 0) {
        throw new AssertionError(
            "expected ascending ids: %s at position %s is not greater than %s at position %s"
                .formatted(
                    Quoted.of(String.valueOf(id)),
                    position,
                    Quoted.of(String.valueOf(before)),
                    position - 1));
      }
      before = id;
      position++;
    }
  }

  @SuppressWarnings("unchecked") // T is UUID then.
  private static <T extends Comparable<? super T>> int compare(T before, T id) {
    return before instanceof UUID first && id instanceof UUID second
        ? Uuids.compare(first, second)
        : before.compareTo(id);
  }

  /**
   * Asserts that no identifier is repeated.
   *
   * @throws AssertionError if one is; the message has it and both positions, from 0
   */
  public static void assertDistinct(Iterable<?> ids) {
    Map<Object, Integer> positions = new HashMap<>();
    int position = 0;
    for (Object id : ids) {
      Integer earlier = positions.putIfAbsent(id, position);
      if (earlier != null) {
        throw new AssertionError(
            "expected distinct ids: %s at position %s is at position %s as well"
                .formatted(Quoted.of(String.valueOf(id)), position, earlier));
      }
      position++;
    }
  }

  /**
   * Asserts that a text is the canonical text of an identifier of a kind: the version of a UUID
   * counts.
   *
   * @throws AssertionError if it is not; the message says why
   * @throws IllegalArgumentException if identifiers of the kind have a prefix: {@link #assertType}
   */
  public static void assertKind(Kind kind, String text) {
    if (kind.has(Kind.Option.PREFIX)) {
      throw new IllegalArgumentException(
          "identifiers of the kind %s have a prefix: use assertType".formatted(kind.label()));
    }
    Object id = parsed(IdType.of(kind, ""), kind.label(), text);
    if (id instanceof UUID uuid && !kind.label().equals("uuidv" + Uuids.version(uuid))) {
      throw new AssertionError(
          "expected an id of the kind %s: %s is a UUID of version %s"
              .formatted(kind.label(), Quoted.of(text), Uuids.version(uuid)));
    }
  }

  /**
   * Asserts that a text is the canonical text of an identifier of a type.
   *
   * @throws AssertionError if it is not; the message says why
   */
  public static void assertType(IdType<?> type, String text) {
    parsed(type, type.name(), text);
  }

  private static Object parsed(IdType<?> type, String name, String text) {
    try {
      return type.parse(text);
    } catch (MalformedIdException e) {
      throw new AssertionError("expected an id of the kind " + name + ": " + e.getMessage(), e);
    }
  }
}
