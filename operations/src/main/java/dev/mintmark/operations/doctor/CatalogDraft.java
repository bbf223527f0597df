package dev.mintmark.operations.doctor;

import dev.mintmark.Catalog;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * A first catalog of a database that has none: a collection for each table whose primary key is one
 * column, as that column is now.
 *
 * <p><b>What is drafted.</b> Ordinary and partitioned tables, but not those of PostgreSQL, of
 * extensions, of the schema {@code mintmark} and temporary ones. The kind follows from the type of
 * the column, the functions its default calls, and the first 100 values that are found in 1,000
 * rows. What is kept as text is declared with {@code storage: text}, and an integer or smallint
 * with {@code storage: integer}, so that a plan over the draft changes nothing. It does where a
 * foreign key connects a bigint key with an integer or smallint: that becomes bigint, and a remark
 * says so. Foreign keys are not listed, the database knows them.
 *
 * <p><b>References.</b> A column that is called like a reference ({@code order_id}), has the type
 * of that table's key and no foreign key is declared as one if as many of its values were looked up
 * and all were found; otherwise a remark says what was found.
 *
 * <p><b>What it costs.</b> Nothing is written. Each look at rows is a transaction of its own, which
 * takes ACCESS SHARE on the tables it reads, waits 0.2 s for a lock and takes 2 s at most; what
 * fails of these is a remark. A role sees what it may read, and a remark names what it may not.
 *
 * @param catalog its namespace is called like the database, and has no code
 * @param remarks what was left out and why, and what a person should check
 */
public record CatalogDraft(Catalog catalog, List<Remark> remarks) {
  /**
   * Something to be said of a draft.
   *
   * @param collection whose it is; empty for what was left out
   * @param text one sentence without a full stop
   */
  public record Remark(Optional<String> collection, String text) {}

  public CatalogDraft {
    remarks = List.copyOf(remarks);
  }

  /**
   * Drafts a catalog of the database that is connected to, on one connection.
   *
   * @throws SQLException if the database fails, but for a look at one table
   */
  public static CatalogDraft of(DataSource connections) throws SQLException {
    try (Connection connection = connections.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      try {
        return new DraftReader(new DraftProbe(connection)).read();
      } finally {
        connection.setAutoCommit(autoCommit);
      }
    }
  }
}
