package dev.mintmark.app.storm;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.Pool;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Other designs: each is a statement that the instance of a client runs on a connection, and a
 * limit of retries. All but one use the table of the article.
 *
 * <p>Parameters of a statement: the number of the client; then, if there are more, the number of
 * its instance and the number of instances, or the guessed address.
 */
enum Rival {
  /** As printed: it may grant a client several addresses, and does not recognize its next claim. */
  ARTICLE(
      "article",
      Table.AS_PRINTED,
      1,
      """
      update ip_address
      set client_id = ?
      where id in (
        select id
        from ip_address
        where client_id is null
        order by random()
        limit 1
        for update
        skip locked
      )
      returning host(ip)
      """),

  /** The same with a primary key, which the article's table lacks. */
  ARTICLE_KEYED("article-keyed", Table.KEYED, 1, ARTICLE.statement),

  /**
   * The article's query in an instance that once received no row: it rejects further clients from
   * memory, as long as Mintmark remembers an exhausted pool. It may reject falsely: {@code skip
   * locked} returns no row too while other sessions have locked the last free ones.
   */
  ARTICLE_CACHED("article-cached", Table.AS_PRINTED, 1, Pool.REMEMBERED_FOR, ARTICLE.statement),

  /**
   * Idea 1: guess an address; the unique index rejects one that is taken. A rejection does not mean
   * that no address is left, so the number of retries is a guess too.
   */
  RANDOM_GUESS(
      "random-guess",
      Table.OF_GUESSES,
      10,
      """
      insert into ip_claim (client_id, ip)
      values (?, ?::inet)
      returning host(ip)
      """),

  /** All instances wait for the lock of the same row. */
  FOR_UPDATE(
      "for-update",
      Table.KEYED,
      Rival.PATIENT,
      """
      update ip_address
      set client_id = ?
      where id = (
        select id
        from ip_address
        where client_id is null
        order by id
        limit 1
        for update
      )
      returning host(ip)
      """),

  /** As for-update, spread over all free rows. */
  FOR_UPDATE_RANDOM(
      "for-update-random",
      Table.KEYED,
      Rival.PATIENT,
      FOR_UPDATE.statement.replace("order by id", "order by random()")),

  /** Fails at once if the row is locked, and retries. */
  NOWAIT(
      "nowait",
      Table.KEYED,
      Rival.PATIENT,
      FOR_UPDATE.statement.replace("for update", "for update nowait")),

  /** Idea 3: an equal share of the addresses for each instance, for good. */
  STATIC_SHARDS(
      "static-shards",
      Table.KEYED,
      1,
      """
      update ip_address
      set client_id = ?
      where id = (
        select id
        from ip_address
        where client_id is null
          and id % ? = ?
        order by id
        limit 1
        for update skip locked
      )
      returning host(ip)
      """);

  private static final String ALL = "all";
  private static final String NONE = "none";

  /** The tries of rivals that retry as long as it may help. */
  private static final int PATIENT = 1_000;

  private final String label;
  private final Table table;
  private final int triesMax;
  private final Duration rejectsFor;
  private final String statement;

  Rival(String label, Table table, int triesMax, String statement) {
    this(label, table, triesMax, Duration.ZERO, statement);
  }

  Rival(String label, Table table, int triesMax, Duration rejectsFor, String statement) {
    this.label = label;
    this.table = table;
    this.triesMax = triesMax;
    this.rejectsFor = rejectsFor;
    this.statement = statement;
  }

  /** The tables that the ideas need. */
  enum Table {
    AS_PRINTED(
        """
        create table ip_address (id bigint not null, ip inet not null, client_id bigint);
        create index index_ip_address_on_client_id on ip_address using btree (client_id);
        """),
    KEYED(
        """
        create table ip_address (id bigint primary key, ip inet not null, client_id bigint);
        create index index_ip_address_on_client_id on ip_address using btree (client_id);
        """),
    OF_GUESSES("create table ip_claim (client_id bigint not null, ip inet not null unique)");

    private final String ddl;

    Table(String ddl) {
      this.ddl = ddl;
    }

    /** The statement that creates it, in the first schema of the search path. */
    String ddl() {
      return ddl;
    }

    /** Whether there is a row for each address from the start. */
    boolean isSeeded() {
      return this != OF_GUESSES;
    }
  }

  /** Its name on the command line. */
  String label() {
    return label;
  }

  Table table() {
    return table;
  }

  /** The most tries of a client. */
  int triesMax() {
    return triesMax;
  }

  /** How long an instance rejects clients without a query after one that returned no row. */
  Duration rejectsFor() {
    return rejectsFor;
  }

  String statement() {
    return statement;
  }

  /**
   * Returns the rivals that are chosen on the command line: by their names, {@code all} or {@code
   * none}.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  static List<Rival> chosen(List<String> names) {
    if (names.equals(List.of(ALL))) {
      return List.of(values());
    }
    if (names.equals(List.of(NONE))) {
      return List.of();
    }
    if (names.contains(ALL) || names.contains(NONE)) {
      throw new IllegalArgumentException(
          "--rival is %s: expected names of rivals, or only %s, or only %s"
              .formatted(Quoted.of(String.join(",", names)), ALL, NONE));
    }
    return names.stream().map(Rival::of).distinct().toList();
  }

  /**
   * Returns the rival with a name.
   *
   * @throws IllegalArgumentException if no rival has it
   */
  static Rival of(String label) {
    return Arrays.stream(values())
        .filter(rival -> rival.label.equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--rival is %s: expected one of %s, %s, %s"
                        .formatted(Quoted.of(label), labels(), ALL, NONE)));
  }

  private static String labels() {
    return Arrays.stream(values()).map(Rival::label).collect(Collectors.joining(", "));
  }
}
