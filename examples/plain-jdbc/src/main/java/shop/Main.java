package shop;

import dev.mintmark.Keyring;
import dev.mintmark.postgres.pack.PackException;
import dev.mintmark.postgres.page.Page;
import dev.mintmark.postgres.page.PageRequest;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import shop.Orders.Order;

/** Places three orders, reads them in two pages, and finds one. */
final class Main {
  private Main() {}

  public static void main(String[] arguments)
      throws SQLException, PackException, InterruptedException {
    String secret = System.getenv("MINTMARK_SECRET");
    if (arguments.length != 1 || secret == null) {
      System.err.println("usage: MINTMARK_SECRET=a:$(openssl rand -base64 32) Main JDBC-URL");
      System.exit(2);
      return;
    }
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(arguments[0]);
    run(database, Keyring.parse(secret), System.out);
  }

  static void run(DataSource database, Keyring keyring, PrintStream out)
      throws SQLException, PackException, InterruptedException {
    Orders orders = new Orders(database, keyring);
    orders.install();
    for (String customer : List.of("Acme", "Bluth", "Cyberdyne")) {
      out.println("placed " + orders.place(customer, 1000).id() + " for " + customer);
    }

    Page<Order> page = settled(orders, PageRequest.first(2));
    out.println("first page: " + customers(page));
    out.println("next page: " + customers(settled(orders, PageRequest.after(page.after(), 2))));

    String face = page.rows().get(1).id();
    out.println("found by its face: " + orders.find(face).get(0).customer());
    out.println("found by its name: " + orders.find("cyber").get(0).customer());
  }

  /** Reads a page again while rows are held back, as they are for 100 ms after they were minted. */
  private static Page<Order> settled(Orders orders, PageRequest request)
      throws SQLException, InterruptedException {
    Page<Order> page = orders.list(request);
    while (page.heldBack()) {
      Thread.sleep(50);
      page = orders.list(request);
    }
    return page;
  }

  private static List<String> customers(Page<Order> page) {
    return page.rows().stream().map(Order::customer).toList();
  }
}
