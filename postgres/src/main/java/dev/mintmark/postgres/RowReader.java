package dev.mintmark.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Converts the current row of a result set to a value. Must not move the result set. */
@FunctionalInterface
public interface RowReader<T> {
  /** Reads its columns, by name or by position from 1. Other columns may follow them. */
  T read(ResultSet row) throws SQLException;
}
