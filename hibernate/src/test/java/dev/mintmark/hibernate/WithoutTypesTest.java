package dev.mintmark.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.TestDatabase;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.BatchSize;
import org.hibernate.boot.model.TypeContributor;
import org.hibernate.boot.registry.BootstrapServiceRegistry;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Entities with ids of the JDK send the same statements with our types and without them. */
@SuppressWarnings({"deprecation", "removal"}) // What both Hibernate 6.6 and 7 have.
@Tag("database")
class WithoutTypesTest {
  private static final String OURS = "META-INF/services/" + TypeContributor.class.getName();

  /** Has an id of the JDK, and arrays of it. */
  @Entity(name = "Shelf")
  static class Shelf {
    @Id @Nullable UUID id;
    UUID @Nullable [] others;
    String @Nullable [] names;
    Long @Nullable [] numbers;

    @OneToMany(mappedBy = "shelf", fetch = FetchType.LAZY)
    @BatchSize(size = 10)
    Set<Book> books = new HashSet<>();

    @ElementCollection Set<UUID> keys = new HashSet<>();
  }

  /** Has a text as its id. */
  @Entity(name = "Book")
  static class Book {
    @Id @Nullable String isbn;

    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable Shelf shelf;
  }

  /** A class loader that does not find our types. */
  private static final class WithoutOurs extends ClassLoader {
    WithoutOurs() {
      super(WithoutTypesTest.class.getClassLoader());
    }

    @Override
    public Enumeration<URL> getResources(String name) throws java.io.IOException {
      return name.equals(OURS) ? Collections.emptyEnumeration() : super.getResources(name);
    }
  }

  private static BootstrapServiceRegistry withoutOurs() {
    return new BootstrapServiceRegistryBuilder().applyClassLoader(new WithoutOurs()).build();
  }

  private static BootstrapServiceRegistry withOurs() {
    return new BootstrapServiceRegistryBuilder().build();
  }

  /** All statements of an application that stores, loads many and loads in batches. */
  private static List<String> statements(BootstrapServiceRegistry registry) {
    TestDatabase database = Shop.createDatabase();
    RecordedStatements statements = new RecordedStatements();
    Configuration settings = Shop.configuration(database, statements);
    Configuration configuration = new Configuration(registry);
    configuration.addAnnotatedClass(Shelf.class);
    configuration.addAnnotatedClass(Book.class);
    configuration.setProperties(settings.getProperties());
    List<UUID> ids = new ArrayList<>();
    List<String> isbns = new ArrayList<>();
    try (SessionFactory factory = configuration.buildSessionFactory()) {
      factory.inTransaction(
          session -> {
            for (int i = 0; i < 12; i++) {
              Shelf shelf = new Shelf();
              shelf.id = new UUID(i, -i);
              shelf.others = new UUID[] {shelf.id, new UUID(-1, 7)};
              shelf.names = new String[] {"left"};
              shelf.numbers = new Long[] {7L};
              shelf.keys.add(shelf.id);
              Book book = new Book();
              book.isbn = "978-" + i;
              book.shelf = shelf;
              session.persist(shelf);
              session.persist(book);
              ids.add(shelf.id);
              isbns.add(book.isbn);
            }
          });
      factory.inSession(
          session -> {
            List<Shelf> shelves = session.byMultipleIds(Shelf.class).multiLoad(ids);
            assertThat(shelves).allSatisfy(shelf -> assertThat(shelf.books).hasSize(1));
            assertThat(shelves.get(3).others).containsExactly(ids.get(3), new UUID(-1, 7));
            assertThat(shelves.get(3).keys).containsExactly(ids.get(3));
          });
      factory.inSession(
          session ->
              assertThat(session.byMultipleIds(Book.class).multiLoad(isbns))
                  .doesNotContainNull()
                  .hasSize(12));
    }
    List<String> sent = new ArrayList<>(statements.drain());
    database
        .rows(
            "select table_name, column_name, udt_name from information_schema.columns where table_schema = 'public' order by 1, 2")
        .forEach(row -> sent.add(row.toString()));
    return sent;
  }

  @Test
  void idsOfTheJdkAreLoadedAsWithoutOurTypes() {
    List<String> without = statements(withoutOurs());

    assertThat(without).hasSizeGreaterThan(10).anyMatch(sql -> sql.startsWith("insert into Shelf"));
    assertThat(statements(withOurs())).isEqualTo(without);
  }
}
