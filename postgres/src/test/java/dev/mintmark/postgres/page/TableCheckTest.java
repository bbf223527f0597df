package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.BY_ID;
import static dev.mintmark.postgres.page.Incidents.BY_TRANSACTION;
import static dev.mintmark.postgres.page.Incidents.BY_WINDOW;
import static dev.mintmark.postgres.page.Incidents.NAIVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mintmark.postgres.page.PageRefusedException.Condition;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@link KeysetPages#checkTable} checks without reading a page. */
@Tag("database")
class TableCheckTest {
  private final Incidents incidents = Incidents.create();

  private void check(PageOrder order) throws SQLException {
    Incidents.pages(order).checkTable(incidents.database().dataSource());
  }

  private void refused(PageOrder order, Condition condition) {
    assertThatExceptionOfType(PageRefusedException.class)
        .isThrownBy(() -> check(order))
        .satisfies(e -> assertThat(e.condition()).isEqualTo(condition));
  }

  @Test
  void tableThatFitsPassesInEveryOrder() throws SQLException {
    for (PageOrder order : List.of(BY_ID, BY_TRANSACTION, BY_WINDOW, NAIVE)) {
      check(order);
    }
    assertThat(Incidents.pages(BY_ID).table()).isEqualTo("incidents");
    assertThat(Incidents.pages(BY_ID).order()).isEqualTo(BY_ID);
  }

  @Test
  void tableThatDoesNotFitIsRefusedAsPagesWouldBe() throws SQLException {
    incidents.database().execute("alter table incidents alter id drop default");
    refused(BY_ID, Condition.SERVER_MINTED);
    check(BY_ID.orByTransaction("xid"));

    incidents.database().execute("alter table incidents alter xid drop default");
    refused(BY_ID.orByTransaction("xid"), Condition.STAMPED_HERE);
    refused(BY_TRANSACTION, Condition.STAMPED_HERE);
    refused(BY_WINDOW, Condition.STAMPED_HERE);

    incidents.database().execute("drop table incidents");
    refused(NAIVE, Condition.TABLE);
    refused(BY_ID.orByTransaction("xid"), Condition.TABLE);
  }
}
