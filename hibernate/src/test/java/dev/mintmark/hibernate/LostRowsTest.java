package dev.mintmark.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Keyring;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.page.Guarantee;
import dev.mintmark.postgres.page.KeysetPages;
import dev.mintmark.postgres.page.Page;
import dev.mintmark.postgres.page.PageOrder;
import dev.mintmark.postgres.page.PageRequest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pages by minted id beside entities that were persisted before the first statement. */
@Tag("database")
class LostRowsTest {
  private static final TestDatabase DATABASE = Shop.createDatabase();

  private static KeysetPages<String> pages(String table) {
    return KeysetPages.of(table)
        .orderedBy(PageOrder.byMintedId("id"))
        .signedWith(Keyring.of('a', secret()))
        .reading(List.of("title"), row -> row.getString("title"));
  }

  private static byte[] secret() {
    byte[] secret = new byte[32];
    new Random(1).nextBytes(secret);
    return secret;
  }

  /**
   * The rows that a reader gets who reads between two transactions: the first one persists its row
   * earlier, and sends it later than the second one commits.
   */
  private static List<String> readAround(
      Class<? extends Shop.Titled> entity, Supplier<? extends Shop.Titled> create, String table)
      throws SQLException {
    try (SessionFactory factory = Shop.start(DATABASE, new RecordedStatements(), entity);
        Session first = factory.openSession()) {
      first.getTransaction().begin();
      first.persist(titled(create, "first"));
      factory.inTransaction(session -> session.persist(titled(create, "second")));

      List<String> given = new ArrayList<>();
      Page<String> page = read(table, PageRequest.first(10), given);
      while (page.heldBack() && first.getTransaction().isActive() && given.isEmpty()) {
        // Held back by the first transaction, or still within the slack of the clock.
        if (isOpenInDatabase()) {
          break;
        }
        page = read(table, PageRequest.after(page.after(), 10), given);
      }
      first.getTransaction().commit();
      do {
        page = read(table, PageRequest.after(page.after(), 10), given);
      } while (page.heldBack());
      return given;
    }
  }

  private static Shop.Titled titled(Supplier<? extends Shop.Titled> create, String title) {
    Shop.Titled entity = create.get();
    entity.setTitle(title);
    return entity;
  }

  private static Page<String> read(String table, PageRequest request, List<String> given)
      throws SQLException {
    Page<String> page = pages(table).read(DATABASE.dataSource(), request);
    assertThat(page.guarantee()).isEqualTo(Guarantee.GAP_FREE);
    given.addAll(page.rows());
    return page;
  }

  private static boolean isOpenInDatabase() {
    return DATABASE.number(
            "select count(*) from pg_stat_activity where state = 'idle in transaction' and datname = current_database()")
        > 0;
  }

  @Test
  void idsMintedInJavaAreLost() throws SQLException {
    assertThat(readAround(Shop.Early.class, Shop.Early::new, "early")).containsExactly("second");
  }

  @Test
  void idsMintedByTheServerAreNot() throws SQLException {
    assertThat(readAround(Shop.Incident.class, Shop.Incident::new, "incident"))
        .containsExactly("first", "second");
  }
}
