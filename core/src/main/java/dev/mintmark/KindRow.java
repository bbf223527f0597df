package dev.mintmark;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The row of a {@link Kind}: everything that core knows of the kind. Other parts of Mintmark ask
 * {@link Kind} and {@link IdType}, and do not distinguish kinds; what only SQL knows of a kind is
 * in one table for migrations and one for warehouses.
 *
 * @param storage the storage of the kind
 * @param factory makes the type of its identifiers
 * @param options what can be declared of its identifiers and asked of its mints
 * @param caseSensitive whether letter case distinguishes identifiers if nothing is declared
 * @param notMinted why a mint does not make them; empty if one does
 * @param remedy what to do if a column holds another text than the canonical one
 */
record KindRow(
    Kind.Storage storage,
    Factory factory,
    Set<Kind.Option> options,
    boolean caseSensitive,
    Optional<String> notMinted,
    String remedy) {

  /** Makes the type of identifiers of a kind. */
  @FunctionalInterface
  interface Factory {
    /**
     * Returns the type.
     *
     * @throws IllegalArgumentException if the prefix or the width is not one that the kind has
     */
    KindType<?> type(Kind kind, Text text);
  }

  /**
   * What is declared of the text of identifiers.
   *
   * @param prefix the text before each identifier; may be empty
   * @param width the minimum number of digits; 0 if it is not padded
   * @param caseSensitive whether letter case distinguishes identifiers
   */
  record Text(String prefix, int width, boolean caseSensitive) {
    /** What a collection declares. */
    static Text of(CollectionSpec collection) {
      return new Text(
          collection.prefix().orElse(""), collection.width(), collection.caseSensitive());
    }

    /**
     * The format of a sequence.
     *
     * @throws IllegalArgumentException if the prefix is malformed or the width out of its range
     */
    SequenceId.Format asFormat() {
      return new SequenceId.Format(prefix, width);
    }
  }

  /** Starts a row of a kind without options whose letter case does not matter. */
  static KindRow of(Kind.Storage storage, Factory factory) {
    return new KindRow(storage, factory, Set.of(), false, Optional.empty(), "rewrite its rows");
  }

  /** Adds options that collections declare. */
  KindRow declaring(Kind.Option... added) {
    Set<Kind.Option> all = EnumSet.noneOf(Kind.Option.class);
    all.addAll(options);
    all.addAll(Set.of(added));
    return new KindRow(storage, factory, all, caseSensitive, notMinted, remedy);
  }

  /** States that a mint makes the identifiers, and which settings it has. */
  KindRow minted(Kind.Option... settings) {
    return declaring(settings);
  }

  /** States why no mint makes the identifiers. */
  KindRow mintedElsewhere(String reason) {
    return new KindRow(storage, factory, options, caseSensitive, Optional.of(reason), remedy);
  }

  /** States that letter case distinguishes identifiers. */
  KindRow sensitiveToCase() {
    return new KindRow(storage, factory, options, true, notMinted, remedy);
  }

  /** States what to do if a column holds another text than the canonical one. */
  KindRow withRemedy(String advice) {
    return new KindRow(storage, factory, options, caseSensitive, notMinted, advice);
  }
}
