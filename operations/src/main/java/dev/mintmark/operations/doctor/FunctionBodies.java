package dev.mintmark.operations.doctor;

import dev.mintmark.postgres.internal.SqlFile;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The bodies of the functions of users, and the functions that they call. */
final class FunctionBodies {
  private static final SqlFile BODIES = SqlFile.load(FunctionBodies.class, "function_bodies");

  /** The time at which a transaction began, by its names. */
  private static final Pattern FROZEN_TIME =
      Pattern.compile(
          "(?i)\\b(?:(?:now|transaction_timestamp)\\s*\\(\\s*\\)|current_timestamp|localtimestamp)");

  private static final Pattern COMMENT = Pattern.compile("--[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);

  /** A name, perhaps after that of its schema, before a parenthesis. */
  private static final Pattern CALL =
      Pattern.compile("(?:(\"[^\"]+\"|[\\w$]+)\\s*\\.\\s*)?(\"[^\"]+\"|[\\w$]+)\\s*\\(");

  private final Map<String, List<Body>> byName;

  private record Body(String schema, String name, String shown, String text) {}

  private FunctionBodies(List<Body> bodies) {
    this.byName = bodies.stream().collect(Collectors.groupingBy(Body::name));
  }

  static FunctionBodies read(GuardedReader reader) throws SQLException {
    return new FunctionBodies(
        reader.query(
            BODIES,
            "functions that defaults call",
            Map.of(),
            row ->
                new Body(
                    row.getString("schema"),
                    row.getString("name"),
                    row.getString("shown"),
                    row.getString("body"))));
  }

  /** Whether an expression or a body takes the time at which its transaction began. */
  static boolean isFrozen(String sql) {
    return FROZEN_TIME.matcher(withoutComments(sql)).find();
  }

  /**
   * The function that takes the time at which the transaction began, of those that a body calls,
   * directly or not; as it is shown.
   */
  Optional<String> frozenBelow(String body) {
    Deque<String> bodies = new ArrayDeque<>(List.of(body));
    Set<Body> seen = new HashSet<>();
    while (!bodies.isEmpty()) {
      Matcher call = CALL.matcher(withoutComments(bodies.pop()));
      while (call.find()) {
        for (Body called : called(Optional.ofNullable(call.group(1)), call.group(2))) {
          if (seen.add(called)) {
            if (isFrozen(called.text())) {
              return Optional.of(called.shown());
            }
            bodies.add(called.text());
          }
        }
      }
    }
    return Optional.empty();
  }

  private List<Body> called(Optional<String> schema, String name) {
    return byName.getOrDefault(folded(name), List.of()).stream()
        .filter(body -> schema.isEmpty() || body.schema().equals(folded(schema.get())))
        .toList();
  }

  private static String folded(String name) {
    return name.startsWith("\"")
        ? name.substring(1, name.length() - 1)
        : name.toLowerCase(Locale.ROOT);
  }

  private static String withoutComments(String sql) {
    return COMMENT.matcher(sql).replaceAll(" ");
  }
}
