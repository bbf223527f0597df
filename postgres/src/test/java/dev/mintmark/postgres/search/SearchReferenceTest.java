package dev.mintmark.postgres.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Ulid;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Searches at random, beside the same search in plain Java over the same rows. */
@Tag("database")
class SearchReferenceTest {
  private static final int ROWS = 80;
  private static final int SEARCHES = 300;

  /** Characters that mean something to somebody, and some of which the database knows no case. */
  private static final List<String> ALPHABET =
      List.of(
          "a", "A", "b", "B", "%", "_", "\\", "'", "\"", "?", ":", ";", "-", "$", "^", "#", "@",
          "=", "(", "*", "{", "é", "É", "ß", "Σ", "ς", "İ", "日", "😀", "e\u0301");

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final TestDatabase database = TestServer.NEWEST.createDatabase();
  private final List<Row> rows = new ArrayList<>();

  private record Row(int number, UUID id, String name, String company, List<String> notes) {}

  /** A way to declare a column, and what it is meant to find. */
  private record Column(String declaration, BiPredicate<Row, String> finds) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("name", (row, term) -> lower(row.name).contains(lower(term))),
          new Column("=name", (row, term) -> lower(row.name).equals(lower(term))),
          new Column("company", (row, term) -> lower(row.company).contains(lower(term))),
          new Column("^company", (row, term) -> lower(row.company).startsWith(lower(term))),
          new Column(
              "#id",
              (row, term) ->
                  List.of(
                          row.id.toString(),
                          row.id.toString().replace("-", ""),
                          Ulid.of(row.id).toString())
                      .contains(term)));

  private static final Column NOTES =
      new Column(
          "note",
          (row, term) -> row.notes.stream().anyMatch(note -> lower(note).contains(lower(term))));

  @Test
  void findsTheSameAsPlainJava() throws SQLException {
    createRows();
    int found = 0;
    try (Connection connection = database.dataSource().getConnection()) {
      for (int i = 0; i < SEARCHES; i++) {
        connection.setAutoCommit(random.nextBoolean());
        List<Column> columns = COLUMNS.stream().filter(column -> random.nextBoolean()).toList();
        boolean withNotes = columns.isEmpty() || random.nextBoolean();
        List<String> terms = terms();

        List<Integer> expected =
            rows.stream()
                .filter(row -> terms.stream().allMatch(t -> finds(row, t, columns, withNotes)))
                .map(Row::number)
                .toList();
        String text = terms.stream().map(this::written).collect(Collectors.joining(" "));

        assertThat(find(connection, columns, withNotes, text))
            .as("seed %d: %s in %s, notes %s", seed, text, columns, withNotes)
            .isEqualTo(expected);
        found += expected.isEmpty() ? 0 : 1;
      }
    }
    assertThat(found)
        .as("seed %d: searches that find something", seed)
        .isGreaterThan(SEARCHES / 10);
  }

  private static boolean finds(Row row, String term, List<Column> columns, boolean withNotes) {
    return columns.stream().anyMatch(column -> column.finds.test(row, term))
        || (withNotes && NOTES.finds.test(row, term));
  }

  private List<Integer> find(
      Connection connection, List<Column> columns, boolean withNotes, String text)
      throws SQLException {
    SearchTable table =
        SearchTable.of("things")
            .columns(columns.stream().map(Column::declaration).toArray(String[]::new));
    SearchTable notes = SearchTable.of("notes").columns(NOTES.declaration);
    SearchTable all = withNotes ? table.join(notes, "thing", "number") : table;
    return Search.of(random.nextBoolean() ? all.key("number") : all)
        .ascendingBy("number")
        .find(connection, text, ROWS + 1, row -> row.getInt("number"));
  }

  private List<String> terms() {
    List<String> terms = new ArrayList<>();
    Row row = rows.get(random.nextInt(ROWS));
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      String term =
          switch (random.nextInt(6)) {
            case 0 -> row.id.toString();
            case 1 -> Ulid.of(row.id).toString();
            case 2 -> part(row.name);
            case 3 -> part(row.company);
            case 4 -> row.notes.isEmpty() ? text(1) : part(row.notes.get(0));
            default -> text(3);
          };
      // A caret before an identifier is no part of it, and a quote begins a phrase.
      boolean plain = !term.isBlank() && !term.startsWith("^") && !term.startsWith("\"");
      terms.add(plain ? term : "a");
    }
    return terms;
  }

  /** The term as somebody types it: in quotes wherever it can be, and has to be. */
  private String written(String term) {
    boolean quotable = term.indexOf('"') < 0;
    return quotable && (term.indexOf(' ') >= 0 || random.nextBoolean()) ? '"' + term + '"' : term;
  }

  private String part(String text) {
    int from = text.offsetByCodePoints(0, random.nextInt(text.codePointCount(0, text.length())));
    String part = random.nextBoolean() ? text : text.substring(from);
    return part.indexOf('"') < 0 ? part : part.replace(" ", "");
  }

  private String text(int lengthMax) {
    StringBuilder text = new StringBuilder();
    for (int i = 1 + random.nextInt(lengthMax); i > 0; i--) {
      text.append(ALPHABET.get(random.nextInt(ALPHABET.size())));
    }
    return text.toString();
  }

  private void createRows() throws SQLException {
    database.execute(
        """
        create table things (number int primary key, id uuid, name text, company text);
        create table notes (thing int, note text);
        """);
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement thing =
            connection.prepareStatement("insert into things values (?, ?, ?, ?)");
        PreparedStatement note = connection.prepareStatement("insert into notes values (?, ?)")) {
      for (int number = 0; number < ROWS; number++) {
        List<String> notes = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          notes.add(text(4));
        }
        UUID id = new UUID(random.nextLong(), random.nextLong());
        Row row = new Row(number, id, text(6) + " " + text(3), text(5), notes);
        rows.add(row);
        thing.setInt(1, number);
        thing.setObject(2, row.id);
        thing.setString(3, row.name);
        thing.setString(4, row.company);
        thing.execute();
        for (String text : notes) {
          note.setInt(1, number);
          note.setString(2, text);
          note.execute();
        }
      }
    }
  }

  /** What a database in the locale C makes of it. */
  private static String lower(String text) {
    return text.chars()
        .map(c -> c >= 'A' && c <= 'Z' ? c + 32 : c)
        .collect(StringBuilder::new, (to, c) -> to.append((char) c), StringBuilder::append)
        .toString();
  }
}
