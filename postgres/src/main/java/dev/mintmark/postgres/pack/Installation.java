package dev.mintmark.postgres.pack;

import java.util.List;
import java.util.Optional;

/**
 * The result of an installation.
 *
 * @param version the version that is installed now
 * @param before the version that was installed before, if any
 * @param differences the differences that were found; empty if there were none
 * @param remaining the differences that an installation cannot correct, such as a domain with
 *     another base type; everything else is installed
 */
public record Installation(
    int version,
    Optional<Integer> before,
    List<Difference> differences,
    List<Difference> remaining) {
  /** Copies the lists. */
  public Installation {
    differences = List.copyOf(differences);
    remaining = List.copyOf(remaining);
  }
}
