package dev.mintmark;

/**
 * A name in a catalog that is worth a second thought.
 *
 * @param what whose name it is: {@code collection} or {@code namespace}
 * @param name the name
 * @param why what is wrong with it
 * @param advice what to call it instead
 */
public record CatalogFinding(String what, String name, String why, String advice) {
  /** The finding on one line. */
  @Override
  public String toString() {
    return what + " " + Quoted.of(name) + ": " + why + ": " + advice;
  }
}
