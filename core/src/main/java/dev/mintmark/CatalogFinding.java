package dev.mintmark;

/**
 * A warning about a name in a catalog that is hard to keep.
 *
 * @param what the type of the named object: {@code collection} or {@code namespace}
 * @param name the name
 * @param why the reason
 * @param advice a better name
 */
public record CatalogFinding(String what, String name, String why, String advice) {
  /** The finding in one line. */
  @Override
  public String toString() {
    return what + " " + Quoted.of(name) + ": " + why + ": " + advice;
  }
}
