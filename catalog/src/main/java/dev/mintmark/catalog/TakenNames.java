package dev.mintmark.catalog;

import dev.mintmark.Quoted;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** ASCII names that must be unique without regard to letter case, each with its line. */
final class TakenNames {
  private final String what;
  private final Map<String, Location> places = new HashMap<>();

  /**
   * @param what the noun for the names in messages: {@code code}
   */
  TakenNames(String what) {
    this.what = what;
  }

  /**
   * Records that a name is taken.
   *
   * @param owner the name of its owner in messages: {@code collection "meats"}
   * @throws CatalogException if the name was taken before
   */
  void take(String name, String owner, Location location) {
    Location taken = places.putIfAbsent(name.toLowerCase(Locale.ROOT), location);
    if (taken != null) {
      throw location.wrong(
          "%s: the %s %s is taken, see line %s"
              .formatted(owner, what, Quoted.of(name), taken.line()));
    }
  }
}
