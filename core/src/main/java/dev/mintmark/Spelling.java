package dev.mintmark;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was probably intended, for a suggestion in a message. */
public final class Spelling {
  /** The most edits of a typing error. */
  private static final int DISTANCE_MAX = 2;

  private Spelling() {}

  /**
   * Returns the word nearest to {@code typed}, the first of several, or empty if none is close: at
   * most two letters inserted, deleted, replaced or swapped with their neighbour, and at most half
   * of the letters of the word.
   */
  public static Optional<String> nearest(String typed, Collection<String> words) {
    return words.stream()
        .filter(word -> Math.abs(word.length() - typed.length()) <= DISTANCE_MAX)
        .filter(word -> between(typed, word) <= Math.min(DISTANCE_MAX, word.length() / 2))
        .min(Comparator.comparingInt(word -> between(typed, word)));
  }

  /**
   * Returns a message about a label that is none of those expected, with the nearest of them.
   *
   * @param what what the label names: {@code kind}
   */
  public static String unknown(String what, String label, Collection<String> expected) {
    String guess =
        nearest(label.toLowerCase(Locale.ROOT), expected)
            .map(near -> " did you mean " + Quoted.of(near) + "?")
            .orElse("");
    return "unknown %s %s:%s expected one of %s"
        .formatted(what, Quoted.of(label), guess, String.join(", ", expected));
  }

  /** The number of insertions, deletions, replacements and swaps of neighbours. */
  private static int between(String a, String b) {
    int[][] distance = new int[a.length() + 1][b.length() + 1];
    Arrays.setAll(distance[0], j -> j);
    for (int i = 1; i <= a.length(); i++) {
      distance[i][0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replace = distance[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int shift = 1 + Math.min(distance[i - 1][j], distance[i][j - 1]);
        distance[i][j] = Math.min(replace, shift);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          distance[i][j] = Math.min(distance[i][j], distance[i - 2][j - 2] + 1);
        }
      }
    }
    return distance[a.length()][b.length()];
  }
}
