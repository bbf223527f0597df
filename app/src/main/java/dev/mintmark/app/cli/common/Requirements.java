package dev.mintmark.app.cli.common;

import dev.mintmark.embedded.StartupException;
import dev.mintmark.postgres.pool.PoolRequirements;
import java.util.List;
import javax.sql.DataSource;

/** What a command needs of a database before it works with pools. */
public final class Requirements {
  private Requirements() {}

  /**
   * Checks a database.
   *
   * @param connections two at the same time
   * @throws StartupException if pools cannot keep their promises there; the message has the reasons
   */
  public static void checkPools(DataSource connections) {
    List<String> unmet = PoolRequirements.unmetBy(connections);
    if (!unmet.isEmpty()) {
      throw new StartupException(
          "the database does not have what pools require: " + String.join("; ", unmet));
    }
  }
}
