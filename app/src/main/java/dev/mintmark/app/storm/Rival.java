package dev.mintmark.app.storm;

import dev.mintmark.Quoted;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What others do, or thought of and discarded: each is a statement that a client's instance runs on
 * its own connection, and how often it is tried again. All but one work on the article's table.
 *
 * <p>Parameters of a statement: the number of the client; then, where there are more, that of its
 * instance and how many instances there are, or the address that was guessed.
 */
enum Rival {
  /** As printed: it may give one client several addresses, and does not see a client come back. */
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
   * Idea 1: guess an address and let the unique index refuse it where it is taken. How often? A
   * refusal does not say that nothing is left.
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

  /** Waits in line for the one row that everybody wants. */
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

  /** The same, spread over all the free rows. */
  FOR_UPDATE_RANDOM(
      "for-update-random",
      Table.KEYED,
      Rival.PATIENT,
      FOR_UPDATE.statement.replace("order by id", "order by random()")),

  /** Fails at once where the row is locked, and tries again. */
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

  /** Tries of those that retry for as long as it makes any sense. */
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

    /** What makes it, in the schema that is searched first. */
    String ddl() {
      return ddl;
    }

    /** Whether there is a row for each address from the start. */
    boolean isSeeded() {
      return this != OF_GUESSES;
    }
  }

  /** What it is called on the command line. */
  String label() {
    return label;
  }

  Table table() {
    return table;
  }

  /** How often a client tries at most. */
  int triesMax() {
    return triesMax;
  }

  String statement() {
    return statement;
  }

  /**
   * The rival of a name.
   *
   * @throws IllegalArgumentException if there is none
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
