package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.BY_ID;
import static dev.mintmark.postgres.page.Incidents.BY_TRANSACTION;
import static dev.mintmark.postgres.page.Incidents.BY_WINDOW;
import static dev.mintmark.postgres.page.Incidents.NAIVE;
import static dev.mintmark.postgres.page.Incidents.after;
import static dev.mintmark.postgres.page.Incidents.first;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Columns of another table beside the rows of pages. */
@Tag("database")
class PageJoinTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();
  private static final PageJoin PEOPLE =
      PageJoin.to("public.people").on("number", "number").column("name", "reporter").column("id");

  private final Incidents incidents = Incidents.create(TestServer.NEWEST, DATABASE);

  @BeforeEach
  void createPeople() {
    DATABASE.execute(
        """
        drop table if exists people cascade;
        create table people (number int primary key, id int not null, name text);
        insert into people values (1, 10, 'Ann'), (3, 30, 'Cy'), (4, 40, null);
        """);
    for (int number = 1; number <= 5; number++) {
      incidents.insert(number);
    }
  }

  private static KeysetPages<String> pages(PageOrder order, PageJoin join) {
    return KeysetPages.of("incidents")
        .scopedBy("organisation_id")
        .where(RowCondition.isNotNull("id"))
        .joining(join)
        .orderedBy(order)
        .signedWith(Incidents.KEYRING)
        .reading(
            List.of("number"),
            row -> row.getInt("number") + " " + row.getString("reporter") + " " + row.getInt("id"));
  }

  private static List<String> all(PageOrder order) throws SQLException {
    KeysetPages<String> pages = pages(order, PEOPLE);
    List<String> read = new ArrayList<>();
    Page<String> page = pages.read(DATABASE.dataSource(), first(2));
    read.addAll(page.rows());
    int reads = 0;
    while (page.hasMore() || page.heldBack()) { // Until the slack of the clock has passed.
      assertThat(reads++).as("reads by %s, rows %s", order, read).isLessThan(2_000);
      page = pages.read(DATABASE.dataSource(), after(page, 2));
      read.addAll(page.rows());
    }
    return read;
  }

  @Test
  void everyRowIsReadOnceWithOrWithoutARowOfTheOtherTable() throws SQLException {
    for (PageOrder order : List.of(BY_ID, BY_TRANSACTION, BY_WINDOW, NAIVE)) {
      assertThat(all(order))
          .containsExactly("1 Ann 10", "2 null 0", "3 Cy 30", "4 null 40", "5 null 0");
    }
  }

  @Test
  void changeOfTheOtherTableAddsNoRowBeforeACursor() throws SQLException {
    KeysetPages<String> pages = pages(BY_TRANSACTION, PEOPLE);
    Page<String> page = pages.read(DATABASE.dataSource(), first(2));

    DATABASE.execute("delete from people; insert into people values (1, 1, 'late'), (3, 3, 'new')");

    assertThat(pages.read(DATABASE.dataSource(), after(page, 9)).rows())
        .containsExactly("3 new 3", "4 null 0", "5 null 0");
  }

  @Test
  void cursorsAreNotBoundToJoins() throws SQLException {
    Page<Integer> page = incidents.read(BY_TRANSACTION, first(4));
    KeysetPages<String> joined =
        KeysetPages.of("incidents")
            .scopedBy("organisation_id")
            .joining(PEOPLE)
            .orderedBy(BY_TRANSACTION)
            .signedWith(Incidents.KEYRING)
            .reading(List.of("number"), row -> row.getString("number"));

    assertThat(joined.read(DATABASE.dataSource(), after(page, 9)).rows()).containsExactly("5");
  }

  @Test
  void tableMayBeJoinedToItself() throws SQLException {
    DATABASE.execute("create unique index on incidents (organisation_id, number)");
    PageJoin self =
        PageJoin.to("incidents")
            .on("organisation_id", "organisation_id")
            .on("number", "number")
            .column("organisation_id", "reporter")
            .column("number", "id");

    pages(BY_ID, self).checkTable(DATABASE.dataSource());
    assertThat(pages(BY_TRANSACTION, self).read(DATABASE.dataSource(), first(1)).rows())
        .containsExactly("1 acme 1");
  }

  @Test
  void keyThatIsNotUniqueIsRefused() throws SQLException {
    DATABASE.execute("alter table people drop constraint people_pkey");
    assertThatExceptionOfType(PageRefusedException.class)
        .isThrownBy(() -> pages(BY_ID, PEOPLE).checkTable(DATABASE.dataSource()))
        .withMessageContaining("pages of \"public.people\": several rows may join one row")
        .satisfies(e -> assertThat(e.condition()).isEqualTo(Condition.TABLE));

    DATABASE.execute("insert into people values (3, 31, 'Bo')");
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> pages(BY_TRANSACTION, PEOPLE).read(DATABASE.dataSource(), first(9)))
        .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("21000"));
  }

  @Test
  void viewMayBeJoined() throws SQLException {
    DATABASE.execute("create view adults as select number, id, upper(name) as name from people");
    PageJoin adults =
        PageJoin.to("adults").on("number", "number").column("name", "reporter").column("id");

    pages(BY_ID, adults).checkTable(DATABASE.dataSource());
    assertThat(pages(BY_TRANSACTION, adults).read(DATABASE.dataSource(), first(1)).rows())
        .containsExactly("1 ANN 10");
  }

  @Test
  void mistakesAreFoundWhenPagesAreDeclared() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pages(BY_ID, PageJoin.to("people").column("name")))
        .withMessage("join to \"people\": expected a key and columns to read");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> pages(BY_ID, PageJoin.to("people").on("number", "number").column("number")))
        .withMessage("two columns are read as \"number\": give one another name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageJoin.to("people").column("id").column("name", "id"))
        .withMessage("column \"id\" is given twice");
  }
}
