package dev.mintmark.jdbi;

import dev.mintmark.postgres.jdbc.IdColumn;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import org.apache.ibatis.type.BaseTypeHandler;
import org.apache.ibatis.type.JdbcType;
import org.jspecify.annotations.Nullable;

/** The handler of docs/jdbc-libraries.md. */
final class IdTypeHandler<T> extends BaseTypeHandler<T> {
  private final IdColumn<T> column;

  IdTypeHandler(IdColumn<T> column) {
    this.column = column;
  }

  @Override
  public void setNonNullParameter(PreparedStatement statement, int i, T id, JdbcType jdbcType)
      throws SQLException {
    column.bind(statement, i, id);
  }

  @Override
  public @Nullable T getNullableResult(ResultSet row, String name) throws SQLException {
    return column.readOptional(row, name).orElse(null);
  }

  @Override
  public @Nullable T getNullableResult(ResultSet row, int index) throws SQLException {
    return column.readOptional(row, index).orElse(null);
  }

  @Override
  public T getNullableResult(CallableStatement statement, int index) throws SQLException {
    throw new SQLFeatureNotSupportedException("identifiers as results of procedures");
  }
}
