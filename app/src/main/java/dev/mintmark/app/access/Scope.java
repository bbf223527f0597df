package dev.mintmark.app.access;

import dev.mintmark.Quoted;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a key permits: {@code pools:read}, or {@code claim:public-ipv4} for one pool.
 *
 * @param kind the verb
 * @param name the pool or collection; {@value #ALL} for all
 */
public record Scope(Kind kind, String name) {
  /** The name that stands for all pools or collections. */
  public static final String ALL = "*";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,63}");

  /** What is permitted. */
  public enum Kind {
    /** Everything. */
    ADMIN("admin", false, false),
    /** Read pools, their claims and their history. */
    POOLS_READ("pools:read", true, true),
    /** Create, change and delete pools; includes {@link #POOLS_READ}. */
    POOLS_ADMIN("pools:admin", true, false),
    /** Claim, renew and release values of a pool, and look at one claim. */
    CLAIM("claim", true, true),
    /** Find rows of a collection, whoever owns them. */
    FIND("find", true, false),
    /** Mint identifiers of a collection. */
    MINT("mint", true, true),
    /** Read identifiers and pURIs. */
    IDS_READ("ids:read", false, true),
    METRICS_READ("metrics:read", false, false),
    MIGRATIONS_READ("migrations:read", false, false),
    MIGRATIONS_ADMIN("migrations:admin", false, false),
    KEYS_ADMIN("keys:admin", false, false),
    AUDIT_READ("audit:read", false, false);

    private final String label;
    private final boolean isNamed;
    private final boolean isOfOwners;

    Kind(String label, boolean isNamed, boolean isOfOwners) {
      this.label = label;
      this.isNamed = isNamed;
      this.isOfOwners = isOfOwners;
    }

    /** How it is written. */
    public String label() {
      return label;
    }

    /** Whether a key with an owner may have it: it shows and changes nothing of other owners. */
    boolean isOfOwners() {
      return isOfOwners;
    }

    private boolean includes(Kind other) {
      return this == other
          || this == ADMIN
          || (this == POOLS_ADMIN && other == POOLS_READ)
          || (this == MIGRATIONS_ADMIN && other == MIGRATIONS_READ);
    }
  }

  /** A scope for all pools or collections. */
  public static Scope of(Kind kind) {
    return new Scope(kind, ALL);
  }

  /**
   * Reads a scope: the label of a kind and, for pools and collections, a colon and a name.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static Scope parse(String text) {
    return tryParse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown scope %s: expected %s".formatted(Quoted.of(text), known())));
  }

  /** Reads a scope as {@link #parse} does; empty if it is malformed. */
  static Optional<Scope> tryParse(String text) {
    for (Kind kind : Kind.values()) {
      if (text.equals(kind.label)) {
        return Optional.of(of(kind));
      }
      if (kind.isNamed && text.startsWith(kind.label + ":")) {
        String name = text.substring(kind.label.length() + 1);
        if (name.equals(ALL) || NAME.matcher(name).matches()) {
          return Optional.of(new Scope(kind, name));
        }
      }
    }
    return Optional.empty();
  }

  private static String known() {
    return Arrays.stream(Kind.values())
        .map(kind -> kind.isNamed ? kind.label + "[:NAME]" : kind.label)
        .collect(Collectors.joining(", "));
  }

  /** Whether it permits a verb for a pool or collection; {@value #ALL}: for all of them. */
  public boolean permits(Kind wanted, String of) {
    return kind.includes(wanted) && (name.equals(ALL) || name.equals(of));
  }

  /** Whether one of the scopes permits all that another one does. */
  public static boolean covers(List<Scope> scopes, Scope other) {
    return scopes.stream().anyMatch(scope -> scope.permits(other.kind, other.name));
  }

  /** How it is written: {@link #parse} reads it. */
  public String text() {
    return name.equals(ALL) ? kind.label : kind.label + ":" + name;
  }
}
