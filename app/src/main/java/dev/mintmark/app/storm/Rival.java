package dev.mintmark.app.storm;

import dev.mintmark.Quoted;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Other designs: each is a statement that the instance of a client runs on its own connection, and
 * a limit of retries. All but one use the table of the article.
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

  /** The tries of rivals that retry as long as it may help. */
  private static final int PATIENT = 1_000;

  private final String label;
  private final Table table;
  private final int triesMax;
  private final String statement;

  Rival(String label, Table table, int triesMax, String statement) {
    this.label = label;
    this.table = table;
    this.triesMax = triesMax;
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

  String statement() {
    return statement;
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
                    "--rival is %s: expected one of %s, or all"
                        .formatted(Quoted.of(label), labels())));
  }

  /** All names. */
  static String labels() {
    return Arrays.stream(values()).map(Rival::label).collect(Collectors.joining(", "));
  }
}
