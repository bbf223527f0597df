package dev.mintmark.app.cli;

import dev.mintmark.PoolSpec;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.PoolAddresses;
import dev.mintmark.app.http.FailoverLog;
import dev.mintmark.postgres.pool.Pools;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The databases of the pools of a server: the first one, which is open, and others, each of which
 * may answer later. One that does not answer delays no other.
 */
final class PoolDatabases implements CloseAtExit.Resource {
  private final PoolAddresses addresses;
  private final Map<String, OtherDatabase> others = new LinkedHashMap<>();
  private volatile @Nullable PoolDeclarations later;

  private PoolDatabases(PoolAddresses addresses) {
    this.addresses = addresses;
    addresses
        .others()
        .forEach((name, address) -> others.put(name, OtherDatabase.start(name, address)));
  }

  /** Begins to open the databases, except for the first. */
  static PoolDatabases start(PoolAddresses addresses) {
    return new PoolDatabases(addresses);
  }

  /** The pools of the first database alone. */
  Pools overFirst(DataSource connections) {
    Pools first = addresses.overFirst(connections);
    first.reportFailovers(logOfFirst());
    return first;
  }

  /**
   * Declares pools. With several databases, one that does not answer now delays only what needs it.
   *
   * @param declaring the pools of the first database
   * @throws IllegalArgumentException if a pool of the first database cannot be declared as it is
   */
  void declare(List<PoolSpec> specs, Pools declaring, Database first, PrintWriter err) {
    PoolDeclarations declarations = new PoolDeclarations(specs, err);
    if (others.isEmpty()) {
      declarations.declare(declaring);
      return;
    }
    later = declarations;
    others.values().forEach(OtherDatabase::awaitFirstAttempt);
    List<Pools> parts = new ArrayList<>();
    parts.add(overFirst(first.examiningConnections("mintmark-prepare")));
    others.values().forEach(other -> parts.add(other.declaring()));
    declarations.declareAcross(Pools.across(parts));
  }

  /**
   * The pools of each database, for requests: the first one first.
   *
   * @param listens whether they listen for notifications of other instances
   */
  List<Pools> serving(Database first, DataSource requests, boolean listens) {
    List<Pools> parts = new ArrayList<>();
    parts.add(overFirst(requests));
    if (listens) {
      parts.get(0).listenThrough(first.listeningConnections("mintmark-listen"));
    }
    others.values().forEach(other -> parts.add(other.serving(listens)));
    return parts;
  }

  private FailoverLog logOfFirst() {
    return addresses.first().map(FailoverLog::of).orElseGet(FailoverLog::new);
  }

  @Override
  public void close() {
    PoolDeclarations declaring = later;
    if (declaring != null) {
      declaring.close();
    }
    others.values().forEach(OtherDatabase::close);
  }
}
