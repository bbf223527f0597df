package dev.mintmark.app.maintenance;

import dev.mintmark.catalog.CatalogException;
import dev.mintmark.operations.migrate.MigrationException;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Why something in the background failed, for the person who started it. */
final class Failure {
  private static final Logger LOG = LoggerFactory.getLogger(Failure.class);

  private Failure() {}

  static String text(Exception e) {
    if (e instanceof SQLException failed) {
      return "the database failed (SQLSTATE %s): %s"
          .formatted(failed.getSQLState(), firstLine(failed));
    }
    if (e instanceof MigrationException || e instanceof CatalogException) {
      return String.valueOf(e.getMessage());
    }
    LOG.error("work in the background failed", e);
    return "an error in the server: see its log";
  }

  private static String firstLine(SQLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
