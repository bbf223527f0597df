package dev.mintmark;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a collection declares of its mints: where identifiers are minted, in which order, and how
 * existing rows get theirs. A word that is empty is not compared with a database. Immutable.
 *
 * <pre>{@code
 * CollectionSpec tracks =
 *     CollectionSpec.builder("tracks", Kind.ULID)
 *         .table("tracks")
 *         .mint(MintDeclaration.NONE.withPlace(MintDeclaration.Place.SERVER).withOrder(Order.ASCENDING))
 *         .build();
 * }</pre>
 *
 * @param place where identifiers are minted
 * @param order {@link Order#ASCENDING} or {@link Order#RANDOM}, of kinds with {@link
 *     Kind.Option#ORDER}
 * @param oldRows what a migration does with rows that have no identifier. Only of a collection with
 *     a table
 */
public record MintDeclaration(
    Optional<Place> place, Optional<Order> order, Optional<OldRows> oldRows) {
  /** No word. */
  public static final MintDeclaration NONE =
      new MintDeclaration(Optional.empty(), Optional.empty(), Optional.empty());

  private static final List<Order> ORDERS = List.of(Order.ASCENDING, Order.RANDOM);

  /** Where identifiers are minted. */
  public enum Place {
    /** By the default of the column, with a function of the SQL pack or of PostgreSQL. */
    SERVER,
    /** By the application, before it inserts the row. */
    APPLICATION;

    /** The name in catalogs: {@code server}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the place with a label, in lower case.
     *
     * @throws IllegalArgumentException if there is none; the message lists all labels
     */
    public static Place parse(String label) {
      return Arrays.stream(values())
          .filter(place -> place.label().equals(label))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      Spelling.unknown(
                          "mint", label, Arrays.stream(values()).map(Place::label).toList())));
    }
  }

  /** What a migration does with rows that have no identifier. */
  public enum OldRows {
    /** They stay without one. */
    NONE,
    /**
     * Each gets its own, of the time in the column {@code created}. Rows of the same millisecond
     * get theirs in the order of the primary key.
     */
    CREATED,
    /** Each gets its own, of the time of the migration, in the order of the primary key. */
    NOW;

    /** The name in catalogs: {@code created}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the value with a label, in lower case.
     *
     * @throws IllegalArgumentException if there is none; the message lists all labels
     */
    public static OldRows parse(String label) {
      return Arrays.stream(values())
          .filter(rows -> rows.label().equals(label))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      Spelling.unknown(
                          "old-rows",
                          label,
                          Arrays.stream(values()).map(OldRows::label).toList())));
    }
  }

  /**
   * Checks the order.
   *
   * @throws IllegalArgumentException if it is neither ascending nor random
   */
  public MintDeclaration {
    order.ifPresent(
        each -> {
          if (!ORDERS.contains(each)) {
            throw unknownOrder(each.label());
          }
        });
  }

  /** The same words with a place. */
  public MintDeclaration withPlace(Place place) {
    return new MintDeclaration(Optional.of(place), order, oldRows);
  }

  /**
   * The same words with an order.
   *
   * @throws IllegalArgumentException if it is neither ascending nor random
   */
  public MintDeclaration withOrder(Order order) {
    return new MintDeclaration(place, Optional.of(order), oldRows);
  }

  /** The same words with what happens to existing rows. */
  public MintDeclaration withOldRows(OldRows oldRows) {
    return new MintDeclaration(place, order, Optional.of(oldRows));
  }

  /**
   * Returns the order that a catalog calls {@code label}.
   *
   * @throws IllegalArgumentException if it is neither {@code ascending} nor {@code random}
   */
  public static Order parseOrder(String label) {
    return ORDERS.stream()
        .filter(order -> order.label().equals(label))
        .findFirst()
        .orElseThrow(() -> unknownOrder(label));
  }

  /** Whether the server mints. */
  public boolean isByServer() {
    return place.filter(Place.SERVER::equals).isPresent();
  }

  /** Whether the application mints. */
  public boolean isByApplication() {
    return place.filter(Place.APPLICATION::equals).isPresent();
  }

  /**
   * Checks that the words have a meaning for a collection.
   *
   * @throws IllegalArgumentException if one has none; the message says why
   */
  void check(Kind kind, boolean hasTable, boolean hasCreated) {
    new MintSettings(order, Optional.empty()).check(kind);
    if (isByServer()) {
      MintSettings.checkOption(kind, Kind.Option.SERVER, "mint by the server");
    }
    if (isByApplication()) {
      kind.checkMint(MintSettings.NONE);
    }
    if (oldRows.isPresent() && !hasTable) {
      throw new IllegalArgumentException(
          "it has \"old-rows\" and no \"table\": add the table of these rows");
    }
    if (oldRows.filter(each -> each != OldRows.NONE).isPresent()) {
      MintSettings.checkOption(kind, Kind.Option.SERVER, "mint for old rows");
    }
    if (oldRows.filter(OldRows.CREATED::equals).isPresent() && !hasCreated) {
      throw new IllegalArgumentException(
          "it has \"old-rows: created\" and no \"created\": add the column that says when a row"
              + " was made");
    }
  }

  private static IllegalArgumentException unknownOrder(String label) {
    return new IllegalArgumentException(
        Spelling.unknown("order", label, ORDERS.stream().map(Order::label).toList()));
  }
}
