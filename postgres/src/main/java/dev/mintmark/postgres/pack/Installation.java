package dev.mintmark.postgres.pack;

import java.util.List;
import java.util.Optional;

/**
 * The result of an installation.
 *
 * @param version the version that is installed now
 * @param before the version that was installed before, if any
 * @param differences the differences that were found and corrected; empty if there were none
 */
public record Installation(int version, Optional<Integer> before, List<Difference> differences) {
  /** Copies the list. */
  public Installation {
    differences = List.copyOf(differences);
  }
}
