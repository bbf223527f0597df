package dev.mintmark.app.storm;

import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.app.http.Server;
import dev.mintmark.app.http.ServerOptions;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.postgres.pool.Pools;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;

/**
 * A server as run by {@code mintmark serve}, as a child process of a storm. It ends when its
 * standard input is closed, so it ends with its parent in any case. The first three lines of the
 * input are the JDBC URL, the user and the password of the database; the last two may be empty. It
 * answers with its port, and each further line with the number of statements that it has sent so
 * far.
 */
final class StormServer {
  /** The same number as in {@code mintmark serve}. */
  private static final int CONNECTIONS = 8;

  private StormServer() {}

  public static void main(String[] args) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    DatabaseAddress address = new DatabaseAddress(required(in), optional(in), optional(in));
    try (Database database = Database.connectAsItIs(address)) {
      Pools pools = Pools.over(database.servingConnectionPool("storm-server", CONNECTIONS));
      pools.listenThrough(database.listeningConnections("storm-listen"));
      try (Server server =
          Server.start(
              ServerOptions.onLoopback(0).withListens(true),
              CatalogReader.read("storm", "namespace: storm\n"),
              pools)) {
        System.out.println(server.port());
        while (in.readLine() != null) {
          System.out.println(pools.statements());
        }
      }
    }
    System.exit(0);
  }

  private static Optional<String> optional(BufferedReader in) throws IOException {
    return Optional.of(required(in)).filter(line -> !line.isEmpty());
  }

  private static String required(BufferedReader in) throws IOException {
    return Objects.requireNonNull(in.readLine(), "the parent process has ended");
  }
}
