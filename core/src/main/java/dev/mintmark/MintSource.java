package dev.mintmark;

/** Where the mint of an {@link IdType} comes from: a new one, or one that a process shares. */
@FunctionalInterface
interface MintSource {
  /**
   * Returns a mint of the values that columns hold of a type.
   *
   * @throws IllegalArgumentException as {@link KindType#newMint} throws it
   */
  Mint<ColumnValue> of(KindType<?> type);
}
