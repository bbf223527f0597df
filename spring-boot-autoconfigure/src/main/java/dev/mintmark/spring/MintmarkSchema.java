package dev.mintmark.spring;

import dev.mintmark.postgres.pack.Pack;
import dev.mintmark.postgres.pack.PackException;
import dev.mintmark.postgres.pool.Pools;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.InitializingBean;

/**
 * Installs what properties ask for, before Flyway, Liquibase and JPA start: the SQL pack, so that
 * migrations of the application may use its functions, and the tables of pools. Both have a history
 * of their own. What is up to date is not changed, and several instances may start at the same
 * time.
 */
final class MintmarkSchema implements InitializingBean {
  private static final String REMEDY =
      "Let a role that may create the schema 'mintmark' do it once, with the command '%s', and set"
          + " %s=false.";

  private final DataSource dataSource;
  private final MintmarkProperties properties;

  MintmarkSchema(DataSource dataSource, MintmarkProperties properties) {
    this.dataSource = dataSource;
    this.properties = properties;
  }

  @Override
  public void afterPropertiesSet() {
    if (properties.pack().install()) {
      installPack();
    }
    if (properties.pools().install()) {
      createTables();
    }
  }

  private void installPack() {
    try {
      var unused = Pack.inSchema(Pack.SCHEMA).install(dataSource);
    } catch (PackException | SQLException e) {
      throw new StartFailure(
          "The SQL pack cannot be installed: " + e.getMessage(),
          REMEDY.formatted("mintmark pack install --database-url URL", "mintmark.pack.install"),
          e);
    }
  }

  private void createTables() {
    try {
      int unused = Pools.migrate(dataSource);
    } catch (IllegalStateException | SQLException e) {
      throw new StartFailure(
          "The tables of pools cannot be created or upgraded: " + e.getMessage(),
          REMEDY.formatted("mintmark pool schema | psql URL", "mintmark.pools.install"),
          e);
    }
  }
}
