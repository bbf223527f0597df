package dev.mintmark.postgres.pack;

import java.util.List;
import java.util.Optional;

/**
 * What installing did.
 *
 * @param version which pack is installed now
 * @param before which one was before, if any
 * @param differences what was missing or otherwise before, and is not any more; none if nothing had
 *     to be done
 */
public record Installation(int version, Optional<Integer> before, List<Difference> differences) {
  /** Copies the list. */
  public Installation {
    differences = List.copyOf(differences);
  }
}
