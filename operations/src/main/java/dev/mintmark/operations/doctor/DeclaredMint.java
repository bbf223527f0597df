package dev.mintmark.operations.doctor;

import dev.mintmark.MintDeclaration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a catalog declares of the mint of a column, for {@link Check#MINT_DRIFT}. Immutable, and
 * safe for use by many threads if the predicate is.
 *
 * @param table its table, with its schema and a dot before it if it has one
 * @param column its column
 * @param words what is declared; a word that is left out is not compared
 * @param expression the default that mints so; empty if the application mints, or the server cannot
 * @param minted whether a default mints as declared. It receives the expression as PostgreSQL
 *     writes it with {@code pg_catalog} alone on the path
 */
public record DeclaredMint(
    String table,
    String column,
    MintDeclaration words,
    Optional<String> expression,
    Predicate<String> minted) {
  /** Whether it is a column of a table. */
  boolean isOf(Table found) {
    return table.equals(found.name()) || table.equals(found.schema() + "." + found.name());
  }
}
