package dev.mintmark.app.storm;

import dev.mintmark.app.database.Database;
import dev.mintmark.app.http.Served;
import dev.mintmark.app.http.Server;
import dev.mintmark.app.http.ServerOptions;
import dev.mintmark.app.http.StartingServer;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;

/**
 * A server as run by {@code mintmark serve}, as a {@linkplain StormPipe child process} of a storm.
 */
final class StormServer implements StormPipe.Instance {
  /** The same number as in {@code mintmark serve}. */
  static final int CONNECTIONS = 8;

  private final Pools pools;
  private long statementsBefore;

  private StormServer(Pools pools) {
    this.pools = pools;
  }

  public static void main(String[] args) throws IOException {
    StormPipe pipe = new StormPipe();
    try (StartingServer starting =
            StartingServer.begin(ServerOptions.onLoopback(0).withListens(true));
        Database database = Database.connectAsItIs(pipe.database())) {
      Pools pools = Pools.over(database.servingConnectionPool("storm-server", CONNECTIONS));
      pools.listenThrough(database.listeningConnections("storm-listen"));
      try (Server server =
          starting.complete(Served.of(CatalogReader.read("storm", "namespace: storm\n"), pools))) {
        pipe.serve(server.port(), new StormServer(pools));
      }
    }
    System.exit(0);
  }

  @Override
  public void begin(Storm storm) {
    statementsBefore = pools.statements();
  }

  @Override
  public Storm.Effort effort() {
    return Storm.Effort.ofStatements(pools.statements() - statementsBefore);
  }
}
