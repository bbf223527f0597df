package shop;

import dev.mintmark.CollectionSpec;
import dev.mintmark.CollectionSpec.Face;
import dev.mintmark.IdType;
import dev.mintmark.Keyring;
import dev.mintmark.Kind;
import dev.mintmark.Mask;
import dev.mintmark.Ulid;
import dev.mintmark.postgres.jdbc.IdColumn;
import dev.mintmark.postgres.pack.Pack;
import dev.mintmark.postgres.pack.PackException;
import dev.mintmark.postgres.page.KeysetPages;
import dev.mintmark.postgres.page.Page;
import dev.mintmark.postgres.page.PageOrder;
import dev.mintmark.postgres.page.PageRequest;
import dev.mintmark.postgres.search.Search;
import dev.mintmark.postgres.search.SearchIds;
import dev.mintmark.postgres.search.SearchTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/**
 * The orders of a shop: their ids are ULIDs in a column of 16 bytes, and clients see them masked.
 */
final class Orders {
  /** What a client sees of an order. */
  record Order(String id, String customer, long cents) {}

  private static final CollectionSpec ORDERS =
      CollectionSpec.builder("orders", Kind.ULID).face(new Face("ord", "orders")).build();

  private static final IdColumn<Ulid> ID = IdColumn.ofUlids();

  private final DataSource database;
  private final Mask<Ulid> faces;
  private final KeysetPages<Order> pages;
  private final Search search;

  Orders(DataSource database, Keyring keyring) {
    this.database = database;
    faces = Mask.of(IdType.ulids(), keyring, ORDERS.face().orElseThrow());
    pages =
        KeysetPages.of("orders")
            .orderedBy(PageOrder.byMintedId("id"))
            .signedWith(keyring)
            .reading(List.of("id", "customer", "cents"), this::order);
    search =
        Search.of(
                SearchTable.of("orders")
                    .column("#id", SearchIds.ofFaces(ORDERS, keyring))
                    .columns("^customer")
                    .key("id"))
            .descendingBy("id");
  }

  /** Installs the SQL functions and creates the table, if they are not there. */
  void install() throws SQLException, PackException {
    Pack.inSchema(Pack.SCHEMA).install(database);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create table if not exists orders (
            id       uuid primary key default mintmark.ulid_monotonic(),
            customer text not null,
            cents    bigint not null
          );
          create index if not exists orders_customer on orders (lower(customer) text_pattern_ops);
          """);
    }
  }

  /**
   * Adds an order. The server mints its id inside the transaction that inserts it: only then pages
   * by id have no gaps.
   */
  Order place(String customer, long cents) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into orders (customer, cents) values (?, ?) returning id, customer, cents")) {
      insert.setString(1, customer);
      insert.setLong(2, cents);
      try (ResultSet row = insert.executeQuery()) {
        row.next();
        return order(row);
      }
    }
  }

  /** Returns the first orders, or those after a cursor of an earlier page. */
  Page<Order> list(PageRequest request) throws SQLException {
    return pages.read(database, request);
  }

  /** Finds orders by the id that a client sees, or by how the name of the customer begins. */
  List<Order> find(String text) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return search.find(connection, text, 20, this::order);
    }
  }

  private Order order(ResultSet row) throws SQLException {
    return new Order(
        faces.show(ID.read(row, "id")), row.getString("customer"), row.getLong("cents"));
  }
}
