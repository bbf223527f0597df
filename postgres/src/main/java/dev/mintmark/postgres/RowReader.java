package dev.mintmark.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Makes a value of the row that a result set stands on. Must not move the result set. */
@FunctionalInterface
public interface RowReader<T> {
  /** Reads the columns it knows, by name or by position from 1. More may follow behind them. */
  T read(ResultSet row) throws SQLException;
}
