package dev.mintmark.operations.migrate;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The default by which the server mints the identifiers of a collection, and the defaults that do
 * the same. Immutable.
 *
 * <p>Defaults are compared by the functions that they call. The server writes a default with {@code
 * pg_catalog} alone on its path, so each name says which function the default refers to: one of the
 * same name in another schema has another name there, and a renamed function its new one. Casts and
 * parentheses do not count. The bodies of functions are not read.
 *
 * @param expression what a plan sets; empty if the application mints, or the server cannot
 * @param accepted all defaults that mint as the collection declares, without casts and parentheses
 */
public record MintDefault(Optional<String> expression, List<String> accepted) {
  private static final Pattern CAST =
      Pattern.compile("::(?:text|uuid|bpchar|character varying|character|varchar)(?:\\(\\d+\\))?");

  private static final Pattern BETWEEN_CALLS = Pattern.compile("[()\\s]+");

  /** Copies the list. */
  public MintDefault {
    accepted = List.copyOf(accepted);
  }

  /** Returns what a collection declares; a word that it leaves out is not compared. */
  public static MintDefault of(CollectionSpec collection) {
    KindSql kind = KindSql.of(collection);
    if (kind.mint().isEmpty()) {
      return new MintDefault(Optional.empty(), List.of());
    }
    Optional<String> ascending = kind.inOrder().map(KindSql.InOrder::mint);
    Optional<Order> order = collection.mint().order();
    List<String> mints = new ArrayList<>();
    if (order.filter(Order.ASCENDING::equals).isEmpty()) {
      mints.add(kind.mint().get());
      mints.addAll(kind.others());
    }
    if (order.filter(Order.RANDOM::equals).isEmpty()) {
      ascending.ifPresent(mints::add);
    }
    // A team that keeps texts sorts by them: its default ascends, unless it declares otherwise.
    boolean ascends =
        order.isEmpty()
            && ascending.isPresent()
            && collection.storage() == Kind.Storage.TEXT
            && collection.mint().isByServer();
    String chosen = ascends ? ascending.get() : mints.get(0);
    return new MintDefault(
        collection.mint().isByApplication()
            ? Optional.empty()
            : Optional.of(KindSql.stored(collection).apply(chosen)),
        mints.stream().map(mint -> calls(KindSql.stored(collection).apply(mint))).toList());
  }

  /**
   * Whether a default mints as the collection declares.
   *
   * @param existing the default, as the server writes it with {@code pg_catalog} alone on its path
   */
  public boolean isMintedBy(String existing) {
    return accepted.contains(calls(existing));
  }

  /** Whether the server can mint the kind of the collection. */
  public boolean isMintable() {
    return !accepted.isEmpty();
  }

  /** The functions, operators and constants of an expression. */
  private static String calls(String expression) {
    String bare = CAST.matcher(expression.replace("pg_catalog.", "")).replaceAll("");
    return BETWEEN_CALLS.matcher(bare).replaceAll(" ").strip();
  }
}
