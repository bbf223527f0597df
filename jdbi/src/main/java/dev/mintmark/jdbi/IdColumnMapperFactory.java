package dev.mintmark.jdbi;

import dev.mintmark.postgres.jdbc.IdColumn;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jdbi.v3.core.mapper.ColumnMapperFactory;

/** Reads identifiers, and null as null. */
final class IdColumnMapperFactory implements ColumnMapperFactory {
  private final IdColumns columns;

  IdColumnMapperFactory(IdColumns columns) {
    this.columns = columns;
  }

  @Override
  public Optional<ColumnMapper<?>> build(Type type, ConfigRegistry config) {
    return columns.find(type).map(IdColumnMapperFactory::mapperOf);
  }

  private static <T> ColumnMapper<T> mapperOf(IdColumn<T> column) {
    return (row, number, context) -> column.readOptional(row, number).orElse(null);
  }
}
