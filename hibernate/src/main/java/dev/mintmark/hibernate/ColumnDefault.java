package dev.mintmark.hibernate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.cfg.JdbcSettings;
import org.hibernate.cfg.MappingSettings;
import org.hibernate.dialect.Dialect;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.config.spi.StandardConverters;
import org.hibernate.engine.jdbc.connections.spi.JdbcConnectionAccess;
import org.hibernate.engine.jdbc.spi.JdbcServices;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Table;
import org.jspecify.annotations.Nullable;

/**
 * Checks at start that the column of an attribute has a default, if its table exists and the
 * database can be read.
 */
final class ColumnDefault {
  private static final System.Logger LOG = System.getLogger(ColumnDefault.class.getName());

  private static final String MISSING =
      """
      select not a.atthasdef and a.attidentity = '' and t.typdefault is null
      from pg_catalog.pg_attribute a
        join pg_catalog.pg_class c on c.oid = a.attrelid
        join pg_catalog.pg_type t on t.oid = a.atttypid
      where a.attrelid = pg_catalog.to_regclass(?)
        and a.attname = ?
        and not a.attisdropped
        and c.relkind <> 'v' -- The default of the table counts, which a view does not show.
      """;

  private ColumnDefault() {}

  static void check(AttributeType attribute, GeneratorCreationContext context) {
    Property property = context.getProperty();
    if (property.getColumns().size() != 1) {
      throw attribute.mistake("@MintedByDatabase requires one column");
    }
    if (!isReadAtStart(context)) {
      return;
    }
    Dialect dialect = context.getDatabase().getDialect();
    String table = name(property.getValue().getTable(), context, dialect);
    Column column = property.getColumns().get(0);
    JdbcConnectionAccess access =
        context
            .getServiceRegistry()
            .requireService(JdbcServices.class)
            .getBootstrapJdbcConnectionAccess();
    try {
      Connection connection = access.obtainConnection();
      try {
        if (isMissing(connection, table, folded(column))) {
          throw attribute.mistake(
              "@MintedByDatabase: column %s of %s has no default: alter table %s alter column %s set default mintmark.ulid()"
                  .formatted(
                      column.getQuotedName(dialect), table, table, column.getQuotedName(dialect)));
        }
      } finally {
        access.releaseConnection(connection);
      }
    } catch (SQLException e) {
      // Hibernate itself starts without its database, or on another one.
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: @MintedByDatabase: the default of the column could not be read, and is not checked: {1}",
          attribute.name(),
          e.getMessage());
    }
  }

  /** Whether Hibernate may use the database while it starts. */
  private static boolean isReadAtStart(GeneratorCreationContext context) {
    return context
        .getServiceRegistry()
        .requireService(ConfigurationService.class)
        .getSetting(JdbcSettings.ALLOW_METADATA_ON_BOOT, StandardConverters.BOOLEAN, true);
  }

  /** The name of the table as SQL, with its schema if the mapping or the setting has one. */
  private static String name(Table table, GeneratorCreationContext context, Dialect dialect) {
    Identifier schema = table.getSchemaIdentifier();
    if (schema == null) {
      schema = defaultSchema(context);
    }
    String name = table.getQuotedName(dialect);
    return schema == null ? name : schema.render(dialect) + "." + name;
  }

  /** That of the setting: the context of Hibernate 6.6 does not have it. */
  private static @Nullable Identifier defaultSchema(GeneratorCreationContext context) {
    Object setting =
        context
            .getServiceRegistry()
            .requireService(ConfigurationService.class)
            .getSettings()
            .get(MappingSettings.DEFAULT_SCHEMA);
    return setting == null ? null : context.getDatabase().toIdentifier(setting.toString());
  }

  private static String folded(Column column) {
    return column.isQuoted() ? column.getName() : column.getName().toLowerCase(Locale.ROOT);
  }

  private static boolean isMissing(Connection connection, String table, String column)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(MISSING)) {
      statement.setString(1, table);
      statement.setString(2, column);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }
}
