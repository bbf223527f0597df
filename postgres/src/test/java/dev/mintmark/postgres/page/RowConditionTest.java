package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.BY_ID;
import static dev.mintmark.postgres.page.Incidents.BY_TRANSACTION;
import static dev.mintmark.postgres.page.Incidents.BY_WINDOW;
import static dev.mintmark.postgres.page.Incidents.NAIVE;
import static dev.mintmark.postgres.page.Incidents.after;
import static dev.mintmark.postgres.page.Incidents.first;
import static dev.mintmark.postgres.page.Incidents.last;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.Ulid;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import dev.mintmark.postgres.page.RowCondition.Operator;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("database")
class RowConditionTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();

  private final Incidents incidents = Incidents.create(TestServer.NEWEST, DATABASE);

  private static KeysetPages<Integer> pages(PageOrder order, RowCondition... conditions) {
    KeysetPages.Builder builder =
        KeysetPages.of("incidents")
            .scopedBy("organisation_id")
            .orderedBy(order)
            .signedWith(Incidents.KEYRING);
    for (RowCondition condition : conditions) {
      builder.where(condition);
    }
    return builder.reading(List.of("number"), row -> row.getInt("number"));
  }

  @OnServers
  void everyRowOfTheConditionIsReadOnceInEveryOrder(TestServer server) throws SQLException {
    Incidents own = Incidents.create(server);
    IntStream.rangeClosed(1, 30).forEach(own::insert);
    List<Integer> expected = IntStream.rangeClosed(11, 29).filter(n -> n != 20).boxed().toList();

    for (PageOrder order : List.of(BY_ID, BY_TRANSACTION, BY_WINDOW, NAIVE)) {
      KeysetPages<Integer> pages =
          pages(
              order,
              RowCondition.of("number", Operator.GREATER, 10),
              RowCondition.of("number", Operator.LESS, 30L),
              RowCondition.of("number", Operator.NOT_EQUAL, "20"));
      List<Integer> read = new ArrayList<>();
      Page<Integer> page = pages.read(own.database().dataSource(), first(7));
      read.addAll(page.rows());
      while (page.hasMore()) {
        page = pages.read(own.database().dataSource(), after(page, 7));
        read.addAll(page.rows());
      }
      // The horizon of minted ids may still be before the last rows.
      while (read.size() < expected.size()) {
        page = pages.read(own.database().dataSource(), after(page, 7));
        read.addAll(page.rows());
      }
      assertThat(read).as("%s", order).isEqualTo(expected);
    }
  }

  @Test
  void conditionsCompareTheColumn() throws SQLException {
    incidents.database().execute("alter table incidents add column closed date");
    incidents.insert(1);
    incidents.insert(2);
    incidents.database().execute("update incidents set closed = '2026-11-23' where number = 2");

    assertThat(rows(RowCondition.isNull("closed"))).containsExactly(1);
    assertThat(rows(RowCondition.isNotNull("closed"))).containsExactly(2);
    assertThat(rows(RowCondition.of("closed", Operator.AT_LEAST, LocalDate.of(2026, 11, 23))))
        .containsExactly(2);
    assertThat(rows(RowCondition.of("closed", Operator.GREATER, LocalDate.of(2026, 11, 23))))
        .isEmpty();
    assertThat(rows(RowCondition.in("number", 1, 3))).containsExactly(1);
    assertThat(rows(RowCondition.of("number", Operator.EQUAL, 2))).containsExactly(2);
    assertThat(rows(RowCondition.of("organisation_id", Operator.EQUAL, "x' or true --"))).isEmpty();
  }

  @Test
  void aUlidIsAUuidOrATextAsItsColumnIs() throws SQLException {
    Ulid ulid = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z");
    Ulid other = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Y");
    incidents
        .database()
        .execute(
            "alter table incidents add column as_text varchar(26), add column as_char char(26), add column as_uuid uuid");
    incidents.insert(1);
    incidents.insert(2);
    incidents
        .database()
        .execute(
            "update incidents set as_text = '%1$s', as_char = '%1$s', as_uuid = '%2$s' where number = 2"
                .formatted(ulid, ulid.toUuid()));

    for (String column : List.of("as_text", "as_char", "as_uuid")) {
      assertThat(rows(RowCondition.of(column, Operator.EQUAL, ulid))).containsExactly(2);
      assertThat(rows(RowCondition.in(column, other, ulid))).containsExactly(2);
      assertThat(rows(RowCondition.of(column, Operator.EQUAL, other))).isEmpty();
      KeysetPages<Integer> scoped =
          KeysetPages.of("incidents")
              .scopedBy(column)
              .orderedBy(NAIVE)
              .signedWith(Incidents.KEYRING)
              .reading(List.of("number"), row -> row.getInt("number"));
      assertThat(
              scoped
                  .read(incidents.database().dataSource(), PageRequest.first(9).in(column, ulid))
                  .rows())
          .containsExactly(2);
    }
  }

  @Test
  void cursorOfAUlidIsThatOfItsUuid() throws SQLException {
    Ulid ulid = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z");
    incidents.database().execute("alter table incidents add column owner uuid");
    incidents.insert(1);
    incidents.insert(2);
    incidents.database().execute("update incidents set owner = '" + ulid.toUuid() + "'");
    KeysetPages<Integer> ofUuid =
        pages(NAIVE, RowCondition.of("owner", Operator.EQUAL, ulid.toUuid()));
    KeysetPages<Integer> ofUlid = pages(NAIVE, RowCondition.of("owner", Operator.EQUAL, ulid));
    Page<Integer> page = ofUuid.read(incidents.database().dataSource(), first(1));

    assertThat(ofUlid.read(incidents.database().dataSource(), after(page, 9)).rows())
        .containsExactly(2);
  }

  private List<Integer> rows(RowCondition condition) throws SQLException {
    return pages(NAIVE, condition).read(incidents.database().dataSource(), first(10)).rows();
  }

  @Test
  void cursorOfAnotherConditionIsRefused() throws SQLException {
    IntStream.rangeClosed(1, 9).forEach(incidents::insert);
    KeysetPages<Integer> one = pages(BY_TRANSACTION, RowCondition.in("number", 1, 2, 3));
    Page<Integer> page = one.read(incidents.database().dataSource(), first(1));

    assertThat(one.read(incidents.database().dataSource(), after(page, 9)).rows())
        .containsExactly(2, 3);
    for (KeysetPages<Integer> other :
        List.of(
            pages(BY_TRANSACTION),
            pages(BY_TRANSACTION, RowCondition.in("number", 1, 2)),
            pages(BY_TRANSACTION, RowCondition.in("number", "1, 2", 3)),
            pages(
                BY_TRANSACTION,
                RowCondition.in("number", 1, 2, 3),
                RowCondition.isNotNull("number")))) {
      assertThatExceptionOfType(CursorException.class)
          .isThrownBy(() -> other.read(incidents.database().dataSource(), after(page, 9)))
          .satisfies(e -> assertThat(e.reason()).isEqualTo(CursorException.Reason.OTHER_PAGES));
    }
    Page<Integer> plain = pages(BY_TRANSACTION).read(incidents.database().dataSource(), first(1));
    assertThatExceptionOfType(CursorException.class)
        .isThrownBy(() -> one.read(incidents.database().dataSource(), after(plain, 9)));
  }

  @Test
  void rowsOutsideTheConditionAreNotHeldBack() throws SQLException {
    try (Connection open = incidents.begin()) {
      Incidents.insert(open, 1);
      incidents.insert(2);

      assertThat(
              pages(BY_TRANSACTION, RowCondition.of("number", Operator.EQUAL, 2))
                  .read(incidents.database().dataSource(), last(9)))
          .satisfies(
              page -> {
                assertThat(page.rows()).isEmpty();
                assertThat(page.heldBack()).isTrue();
              });
      assertThat(
              pages(BY_TRANSACTION, RowCondition.of("number", Operator.EQUAL, 3))
                  .read(incidents.database().dataSource(), last(9))
                  .heldBack())
          .isFalse();
    }
  }

  @Test
  void whatCannotBeAConditionIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowCondition.of("number", Operator.EQUAL, 1.5))
        .withMessageStartingWith(
            "condition: a value of class java.lang.Double for column \"number\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowCondition.in("number"))
        .withMessage("condition: 0 values for column \"number\": expected 1 to 100");
    assertThatExceptionOfType(PageRefusedException.class)
        .isThrownBy(() -> rows(RowCondition.isNull("missing")))
        .withMessage("pages of \"incidents\": there is no column \"missing\"");
    assertThat(RowCondition.in("number", 1, 2)).hasToString("number in [1, 2]");
    assertThat(RowCondition.isNull("number")).hasToString("number is null");
  }

  @Test
  void viewIsRefusedWithTheReason() {
    incidents.database().execute("create or replace view seen as select * from incidents");
    for (PageOrder order : List.of(BY_ID, BY_TRANSACTION, BY_WINDOW, NAIVE)) {
      KeysetPages<Integer> pages =
          KeysetPages.of("seen")
              .orderedBy(order)
              .signedWith(Incidents.KEYRING)
              .reading(List.of("number"), row -> row.getInt("number"));
      assertThatExceptionOfType(PageRefusedException.class)
          .isThrownBy(() -> pages.read(incidents.database().dataSource(), PageRequest.first(9)))
          .satisfies(e -> assertThat(e.condition()).isEqualTo(Condition.TABLE))
          .withMessageContaining("it is a view: a change of another table could add rows");
    }
  }

  /** Those of {@code citext} ignore case, and are in the schema of the extension. */
  @Test
  void operatorsOfATypeOfAnExtensionAreItsOwn() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create schema "an extension";
        create extension citext schema "an extension";
        create table teams (code "an extension".citext primary key, name text);
        insert into teams values ('Red', 'The red team');
        create table players (tenant "an extension".citext, number int, team "an extension".citext, primary key (tenant, number));
        insert into players values ('Acme', 1, 'RED'), ('ACME', 2, 'red'), ('other', 3, 'red');
        """);
    KeysetPages<String> pages =
        KeysetPages.of("players")
            .scopedBy("tenant")
            .where(RowCondition.in("team", "rEd", "blue"))
            .where(RowCondition.of("team", Operator.NOT_EQUAL, "BLUE"))
            .joining(PageJoin.to("teams").on("code", "team").column("name"))
            .orderedBy(PageOrder.plain(PageOrder.ascending("number")))
            .signedWith(Incidents.KEYRING)
            .reading(List.of("number"), row -> row.getInt("number") + " " + row.getString("name"));

    assertThat(pages.read(database.dataSource(), PageRequest.first(9).in("tenant", "acme")).rows())
        .containsExactly("1 The red team", "2 The red team");
  }
}
