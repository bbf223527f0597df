package dev.mintmark.spring;

import dev.mintmark.postgres.page.KeysetPages;
import dev.mintmark.postgres.page.PageOrder;
import dev.mintmark.postgres.page.PageRefusedException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Fails the start of an application whose pages do not fit their tables: each page would be refused
 * later. Uses the database only if pages are beans.
 */
final class PageTableCheck implements SmartInitializingSingleton {
  private static final String UNLESS_HERE =
      " If the table is in another database, or is created later, set mintmark.pages.check=false.";

  private final PageBeans pages;
  private final ObjectProvider<DataSource> dataSource;

  PageTableCheck(PageBeans pages, ObjectProvider<DataSource> dataSource) {
    this.pages = pages;
    this.dataSource = dataSource;
  }

  @Override
  public void afterSingletonsInstantiated() {
    pages.all().forEach(this::check);
  }

  private void check(String bean, KeysetPages<?> checked) {
    try {
      checked.checkTable(dataSource.getObject());
    } catch (PageRefusedException e) {
      throw new StartFailure(
          "The bean \"%s\" has pages that cannot be read: %s.".formatted(bean, e.getMessage()),
          remedy(checked, e) + UNLESS_HERE,
          e);
    } catch (SQLException e) {
      throw new StartFailure(
          "The table of the bean \"%s\" cannot be checked: %s".formatted(bean, e.getMessage()),
          "Correct the data source, or set mintmark.pages.check=false.",
          e);
    }
  }

  private static String remedy(KeysetPages<?> checked, PageRefusedException refused) {
    return switch (refused.condition()) {
      case SERVER_MINTED ->
          "Give the column a default of the SQL pack: alter table %s alter column %s set default"
                  .formatted(checked.table(), checked.order().keys().get(0).column())
              + " mintmark.ulid(). If the pack is not installed, run"
              + " 'mintmark pack install --database-url URL', or set mintmark.pack.install=true if"
              + " the application may create a schema. Or read the pages by transaction.";
      case STAMPED_HERE ->
          "Add the column as docs/pages.md says: %s."
              .formatted(
                  checked.order() instanceof PageOrder.MintedId
                      ? "xid8 not null default pg_current_xact_id()"
                      : checked.order().keys().get(0).column()
                          + " xid8 not null default pg_current_xact_id()");
      default -> "Correct the table, or the declaration of the pages.";
    };
  }
}
