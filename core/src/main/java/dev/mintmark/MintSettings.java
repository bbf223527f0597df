package dev.mintmark;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What only the mints of some kinds have. Immutable.
 *
 * @param order of kinds with {@link Kind.Option#ORDER}. If it is empty, single identifiers are in
 *     random order within a millisecond, and those of one call of {@link Mint#mint(int)} ascend
 * @param node of kinds with {@link Kind.Option#NODE}, which require it: the number of the process,
 *     which no other process may have
 */
public record MintSettings(Optional<Order> order, Optional<Integer> node) {
  /** No setting. */
  public static final MintSettings NONE = new MintSettings(Optional.empty(), Optional.empty());

  /** The same settings with an order. */
  public MintSettings withOrder(Order order) {
    return new MintSettings(Optional.of(order), node);
  }

  /** The same settings with the number of a node. */
  public MintSettings withNode(int node) {
    return new MintSettings(order, Optional.of(node));
  }

  /**
   * Checks that mints of a kind have these settings.
   *
   * @throws IllegalArgumentException if they do not; the message lists the kinds that do
   */
  public void check(Kind kind) {
    check(kind, order, Kind.Option.ORDER, "order");
    check(kind, node, Kind.Option.NODE, "node");
  }

  private static void check(Kind kind, Optional<?> setting, Kind.Option option, String label) {
    if (setting.isPresent()) {
      checkOption(kind, option, label);
    }
  }

  /**
   * Checks that a kind has an option.
   *
   * @throws IllegalArgumentException if it has not; the message lists the kinds that do
   */
  static void checkOption(Kind kind, Kind.Option option, String label) {
    if (!kind.has(option)) {
      throw new IllegalArgumentException(
          "kind %s has no %s: that is of %s".formatted(kind.label(), label, kindsWith(option)));
    }
  }

  /** The kinds with an option: {@code ulid, uuidv7 and typeid}. */
  private static String kindsWith(Kind.Option option) {
    List<String> labels =
        Arrays.stream(Kind.values()).filter(kind -> kind.has(option)).map(Kind::label).toList();
    int last = labels.size() - 1;
    return last == 0
        ? labels.get(0)
        : String.join(", ", labels.subList(0, last)) + " and " + labels.get(last);
  }
}
