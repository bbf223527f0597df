package dev.mintmark.app.access;

import java.util.List;
import java.util.Optional;

/** Who may do what: the holder of a key, or of a token of an identity provider. */
public sealed interface Principal permits ApiKey, TokenHolder {
  /** What logs and limits name it by. */
  String id();

  /** What people call it; may be empty. */
  String name();

  /** What it may do. */
  List<Scope> scopes();

  /** The owner for whom it claims, and whose claims alone it sees; empty: all. */
  Optional<String> owner();

  /** How the audit names it. */
  String actor();

  /** What it has shown, for messages: {@code key} or {@code token}. */
  String proof();

  /** Whether it may do something with a pool or collection. */
  default boolean permits(Scope.Kind kind, String name) {
    for (Scope scope : scopes()) {
      if (scope.permits(kind, name)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it may do something with some pool or collection at least. */
  default boolean permitsSome(Scope.Kind kind) {
    return scopes().stream().anyMatch(scope -> scope.permits(kind, scope.name()));
  }
}
