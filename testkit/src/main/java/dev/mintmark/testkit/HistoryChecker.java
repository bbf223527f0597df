package dev.mintmark.testkit;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.PastClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Judges the history of a pool: it must name at most one holder of a value at any instant. A claim
 * holds from its beginning, and no longer at its end.
 */
public final class HistoryChecker {
  private HistoryChecker() {}

  /**
   * Judges a history.
   *
   * @param history claims of one pool, those that are held included, in any order
   * @return a sentence for each pair of claims that overlap; empty if none do
   */
  public static List<String> judge(List<PastClaim> history) {
    Map<String, List<PastClaim>> byValue =
        history.stream()
            .sorted(Comparator.comparingLong(PastClaim::token))
            .collect(
                Collectors.groupingBy(PastClaim::value, LinkedHashMap::new, Collectors.toList()));
    List<String> findings = new ArrayList<>();
    byValue.values().forEach(ofValue -> judgeValue(ofValue, findings));
    return List.copyOf(findings);
  }

  private static void judgeValue(List<PastClaim> ofValue, List<String> findings) {
    PastClaim longest = ofValue.get(0);
    for (PastClaim next : ofValue.subList(1, ofValue.size())) {
      Instant end = end(longest);
      if (next.claimedAt().isBefore(end)) {
        findings.add(
            "value %s: the history names %s until %s and %s from %s"
                .formatted(next.value(), holder(longest), end, holder(next), next.claimedAt()));
      }
      if (end(next).isAfter(end)) {
        longest = next;
      }
    }
  }

  private static Instant end(PastClaim claim) {
    return claim.endedAt().orElse(Instant.MAX);
  }

  private static String holder(PastClaim claim) {
    return "%s (token %s)".formatted(Quoted.of(claim.client()), claim.token());
  }
}
