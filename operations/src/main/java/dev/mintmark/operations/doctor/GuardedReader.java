package dev.mintmark.operations.doctor;

import dev.mintmark.operations.internal.schema.SchemaReader;
import dev.mintmark.postgres.RowReader;
import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One reading of a database, in the caller's transaction. Each statement is undone to a savepoint
 * once it has answered: its failure spoils nothing else, and no lock is kept. What fails is put
 * down as not looked at; only the loss of the connection ends the reading.
 */
final class GuardedReader implements SchemaReader.Statements {
  /** Values that one statement reads; each locks its table and an index until it has answered. */
  private static final int LOOKS_A_STATEMENT = 100;

  /** Values that are read in all. */
  private static final int LOOKS_MAX = 20_000;

  private final Connection connection;
  private final Set<NotLookedAt> notLookedAt = new LinkedHashSet<>();
  private final List<UnseenTable> lockedTables = new ArrayList<>();
  private int looks;

  GuardedReader(Connection connection) {
    this.connection = connection;
  }

  private interface Statement {
    void run() throws SQLException;
  }

  private interface Complaint {
    void hear(SQLException failure) throws SQLException;
  }

  /** What could not be looked at so far. */
  List<NotLookedAt> notLookedAt() {
    return List.copyOf(notLookedAt);
  }

  /** The tables that another session has locked. */
  List<UnseenTable> lockedTables() {
    return List.copyOf(lockedTables);
  }

  void skipLocked(String schema, String name, String shown) {
    String reason = "another session locks the whole table";
    skip(shown, reason);
    lockedTables.add(new UnseenTable(schema, name, shown, reason, Optional.empty()));
  }

  void skip(String object, String reason) {
    notLookedAt.add(new NotLookedAt(object, reason));
  }

  /** Whether something could not be looked at. */
  boolean missed(String object) {
    return notLookedAt.stream().anyMatch(one -> one.object().equals(object));
  }

  /**
   * The rows of a statement about the catalog; none if it fails.
   *
   * @param about what it is to find out
   */
  @Override
  public <T> List<T> query(SqlFile file, String about, Map<String, ?> values, RowReader<T> reader)
      throws SQLException {
    List<T> rows = new ArrayList<>();
    attempt(
        () -> rows.addAll(file.query(connection, values, reader)),
        failure -> skip(about, reason(failure)));
    return rows;
  }

  /** Reads values; a key without an answer is one that could not be looked at, or has none. */
  <K> Map<K, List<String>> look(Map<K, Probe> wanted) throws SQLException {
    Map<K, List<String>> answers = new HashMap<>();
    List<Map.Entry<K, Probe>> all = List.copyOf(wanted.entrySet());
    for (int from = 0; from < all.size(); from += LOOKS_A_STATEMENT) {
      look(all.subList(from, Math.min(all.size(), from + LOOKS_A_STATEMENT)), answers);
    }
    return answers;
  }

  /** All at once; one after the other if that fails, to see which it is. */
  private <K> void look(List<Map.Entry<K, Probe>> some, Map<K, List<String>> answers)
      throws SQLException {
    if (looks + some.size() > LOOKS_MAX) {
      some.forEach(look -> skip(look.getValue().object(), "there are too many values to read"));
      return;
    }
    attempt(
        () -> {
          read(some, answers);
          looks += some.size();
        },
        failure -> {
          if (some.size() == 1) {
            skip(some.get(0).getValue().object(), reason(failure));
          } else {
            for (Map.Entry<K, Probe> one : some) {
              look(List.of(one), answers);
            }
          }
        });
  }

  private <K> void read(List<Map.Entry<K, Probe>> some, Map<K, List<String>> answers)
      throws SQLException {
    String sql =
        IntStream.range(0, some.size())
            .mapToObj(
                i ->
                    "select "
                        + i
                        + " as place, "
                        + some.get(i).getValue().expression()
                        + " as texts")
            .collect(Collectors.joining("\nunion all\n"));
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int parameter = 0;
      for (Map.Entry<K, Probe> look : some) {
        for (Long number : look.getValue().numbers()) {
          statement.setLong(++parameter, number);
        }
      }
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          List<String> texts = Column.texts(row, "texts");
          if (!texts.isEmpty()) {
            answers.put(some.get(row.getInt("place")).getKey(), texts);
          }
        }
      }
    }
  }

  private void attempt(Statement work, Complaint complaint) throws SQLException {
    Savepoint before = connection.setSavepoint();
    SQLException failure = null;
    try {
      work.run();
    } catch (SQLException e) {
      if (isLost(e)) {
        throw e;
      }
      failure = e;
    }
    connection.rollback(before);
    connection.releaseSavepoint(before);
    if (failure != null) {
      complaint.hear(failure);
    }
  }

  /**
   * Whether there is no connection to go on with: broken off (08), or ended by the server (57P).
   */
  private static boolean isLost(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.startsWith("08") || state.startsWith("57P");
  }

  private static String reason(SQLException e) {
    return switch (String.valueOf(e.getSQLState())) {
      case "42501" -> "this role may not read it";
      case "55P03" -> "another session holds a lock on it";
      case "57014" -> "reading it takes longer than the statement timeout";
      case "42P01", "XX000" -> "it was dropped meanwhile";
      default -> String.valueOf(e.getMessage()).lines().findFirst().orElse("it failed");
    };
  }
}
