package dev.mintmark.verify.bench;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Runs works in turn, round after round, so that whatever else the machine does hits all alike, and
 * compares each with the first. A round that warms up is not counted.
 */
final class SqlRace {
  private final int rounds;
  private final Map<String, Lap> laps = new LinkedHashMap<>();

  SqlRace(int rounds) {
    this.rounds = rounds;
  }

  /** One work once: what it needs before and after is not in the cost. */
  interface Lap {
    SqlCost run() throws SQLException;
  }

  /** How many times as much as the first: of the least of all rounds, and within each round. */
  record Ratio(double least, double lowest, double highest) {}

  /** Of processor time and of the time that went by. */
  record Result(String name, Ratio processor, Ratio elapsed) {}

  void add(String name, Lap lap) {
    laps.put(name, lap);
  }

  /** In the order they were added. */
  List<Result> run() throws SQLException {
    Map<String, List<SqlCost>> costs = new LinkedHashMap<>();
    for (int round = 0; round <= rounds; round++) {
      for (Map.Entry<String, Lap> lap : laps.entrySet()) {
        SqlCost cost = lap.getValue().run();
        if (round > 0) {
          costs.computeIfAbsent(lap.getKey(), name -> new ArrayList<>()).add(cost);
        }
      }
    }
    List<SqlCost> first = costs.values().iterator().next();
    List<Result> results = new ArrayList<>();
    costs.forEach(
        (name, own) ->
            results.add(
                new Result(
                    name,
                    ratio(own, first, SqlCost::processorNanos),
                    ratio(own, first, SqlCost::elapsedNanos))));
    return results;
  }

  private static Ratio ratio(
      List<SqlCost> costs, List<SqlCost> first, ToLongFunction<SqlCost> nanos) {
    double lowest = Double.MAX_VALUE;
    double highest = 0;
    for (int round = 0; round < costs.size(); round++) {
      double ratio =
          (double) nanos.applyAsLong(costs.get(round)) / nanos.applyAsLong(first.get(round));
      lowest = Math.min(lowest, ratio);
      highest = Math.max(highest, ratio);
    }
    return new Ratio((double) least(costs, nanos) / least(first, nanos), lowest, highest);
  }

  private static long least(List<SqlCost> costs, ToLongFunction<SqlCost> nanos) {
    return costs.stream().mapToLong(nanos).min().orElseThrow();
  }
}
