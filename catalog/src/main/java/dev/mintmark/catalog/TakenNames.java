package dev.mintmark.catalog;

import dev.mintmark.Quoted;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Names of ASCII of which each is given once, letter case aside, and where it was given. */
final class TakenNames {
  private final String what;
  private final Map<String, Location> places = new HashMap<>();

  /**
   * @param what the names as messages call them: {@code code}
   */
  TakenNames(String what) {
    this.what = what;
  }

  /**
   * Gives a name.
   *
   * @param owner who is to have it, as messages call it: {@code collection "meats"}
   * @throws CatalogException if it was given before
   */
  void take(String name, String owner, Location location) {
    Location taken = places.putIfAbsent(name.toLowerCase(Locale.ROOT), location);
    if (taken != null) {
      throw location.wrong(
          "%s: the %s %s is taken, see line %d"
              .formatted(owner, what, Quoted.of(name), taken.line()));
    }
  }
}
