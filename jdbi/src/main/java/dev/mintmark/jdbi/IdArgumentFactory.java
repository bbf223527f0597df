package dev.mintmark.jdbi;

import dev.mintmark.postgres.jdbc.IdColumn;
import java.lang.reflect.Type;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.argument.ArgumentFactory;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/** Binds identifiers. */
final class IdArgumentFactory implements ArgumentFactory.Preparable {
  private final IdColumns columns;

  IdArgumentFactory(IdColumns columns) {
    this.columns = columns;
  }

  @Override
  public Optional<Function<Object, Argument>> prepare(Type type, ConfigRegistry config) {
    return columns.find(type).map(IdArgumentFactory::argumentsOf);
  }

  private static <T> Function<Object, Argument> argumentsOf(IdColumn<T> column) {
    Class<T> javaType = column.type().javaType();
    return id -> new IdArgument<>(column, javaType.cast(id));
  }

  private record IdArgument<T>(IdColumn<T> column, @Nullable T id) implements Argument {
    @Override
    public void apply(int position, PreparedStatement statement, StatementContext context)
        throws SQLException {
      column.bindOptional(statement, position, Optional.ofNullable(id));
    }

    /** What Jdbi writes into its messages. */
    @Override
    public String toString() {
      return String.valueOf(id);
    }
  }
}
