package dev.mintmark.verify;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database that has another address after each restart: the present one stands in a file, which
 * every new connection goes by.
 */
record MovingDatabase(Path file) {
  private static final int CONNECT_MILLIS_MAX = 2_000;

  /** Says where it is from now on. */
  void moveTo(String jdbcUrl) {
    try {
      Path next = file.resolveSibling(file.getFileName() + ".next");
      Files.writeString(next, jdbcUrl);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Connections to where it is at that moment, each known to it by a name. */
  DataSource dataSource(String applicationName) {
    return new PGSimpleDataSource() {
      private static final long serialVersionUID = 1L;

      @Override
      public java.sql.Connection getConnection() throws SQLException {
        try {
          setUrl(Files.readString(file));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        setApplicationName(applicationName);
        setSocketTimeout(10);
        return super.getConnection();
      }
    };
  }

  /** A pool of such connections. */
  HikariDataSource connectionPool(String applicationName, int connections) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(dataSource(applicationName));
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(CONNECT_MILLIS_MAX);
    // A busy machine may take longer to let the first one in.
    config.setInitializationFailTimeout(60_000);
    return new HikariDataSource(config);
  }
}
