package dev.mintmark.spring;

import dev.mintmark.postgres.page.KeysetPages;
import dev.mintmark.postgres.page.PageOrder;
import jakarta.persistence.EntityManagerFactory;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Fails the start of an application that reads pages by minted id of a table whose entity mints
 * that id in Java: such an id is older than its transaction, and the pages lose its row, silently.
 *
 * <p>An id that the application assigns is refused if a new object of the entity already has one.
 * Otherwise nobody can see where it comes from, and a warning is logged.
 */
final class PageEntityCheck implements SmartInitializingSingleton {
  private static final Log LOG = LogFactory.getLog(PageEntityCheck.class);

  private final PageBeans pages;
  private final ObjectProvider<EntityManagerFactory> factories;

  PageEntityCheck(PageBeans pages, ObjectProvider<EntityManagerFactory> factories) {
    this.pages = pages;
    this.factories = factories;
  }

  @Override
  public void afterSingletonsInstantiated() {
    pages
        .all()
        .forEach(
            (bean, checked) -> {
              if (checked.order() instanceof PageOrder.MintedId order) {
                factories.stream()
                    .flatMap(Hibernates::unwrapped)
                    .flatMap(
                        factory -> EntityColumn.of(factory, checked.table(), order.id()).stream())
                    .forEach(column -> check(bean, checked, column));
              }
            });
  }

  private static void check(String bean, KeysetPages<?> checked, EntityColumn column) {
    switch (column.origin()) {
      case SERVER -> {}
      case JAVA ->
          throw new StartFailure(
              "The bean \"%s\" reads pages of the table %s by minted id, and the id is minted in Java: %s. It is older than the transaction that inserts the row, so pages would lose rows, without an error."
                  .formatted(bean, checked.table(), column),
              "Annotate the attribute with @Minted(by = MintedBy.SERVER), of mintmark-hibernate, or"
                  + " read the pages by PageOrder.byTransaction.");
      case UNKNOWN ->
          LOG.warn(
              "The bean \"%s\" reads pages of the table %s by minted id, and the application assigns the id: %s. Pages lose rows whose id was not minted by the server in the inserting transaction: assign only ids of ServerMint, use @Minted(by = MintedBy.SERVER), or read the pages by PageOrder.byTransaction."
                  .formatted(bean, checked.table(), column));
    }
  }
}
