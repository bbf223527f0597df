package dev.mintmark.operations.doctor;

import dev.mintmark.operations.internal.schema.Relation;
import dev.mintmark.operations.internal.schema.Sequence;
import dev.mintmark.postgres.internal.SqlFile;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sequences that are fed with runs of numbers from a pool. The bounds of such a sequence are
 * those of its run: outside of them are numbers of other databases.
 */
final class FedSequences {
  private static final SqlFile FEED_TABLE = SqlFile.load(FedSequences.class, "feed_table");
  private static final SqlFile FED_SEQUENCES = SqlFile.load(FedSequences.class, "fed_sequences");

  private static final String TABLE = "mintmark.sequence_feed";

  private final GuardedReader reader;
  private final boolean known;
  private final Set<String> names;

  private FedSequences(GuardedReader reader, boolean known, Set<String> names) {
    this.reader = reader;
    this.known = known;
    this.names = names;
  }

  static FedSequences read(GuardedReader reader) throws SQLException {
    List<Boolean> readable =
        reader.query(FEED_TABLE, TABLE, Map.of(), row -> row.getBoolean("is_readable"));
    if (readable.contains(false)) {
      return new FedSequences(reader, false, Set.of());
    }
    List<String> names =
        readable.isEmpty()
            ? List.of()
            : reader.query(FED_SEQUENCES, TABLE, Map.of(), row -> row.getString("name"));
    return new FedSequences(reader, !reader.missed(TABLE), Set.copyOf(names));
  }

  /**
   * Whether a sequence is fed, or may be: then it is put down as not looked at.
   *
   * @param sequence is not fed unless it is a bounded {@code bigint} sequence by 1
   */
  boolean isFed(Sequence sequence) {
    Relation relation = sequence.relation();
    if (known) {
      return names.contains(relation.schema() + "." + relation.name());
    }
    boolean canBeFed =
        sequence.type().equals("bigint")
            && sequence.max() < Long.MAX_VALUE
            && sequence.increment() == 1
            && !sequence.cycles();
    if (canBeFed) {
      reader.skip(
          relation.shown(), "it may be fed from a pool, and this role cannot read " + TABLE);
    }
    return canBeFed;
  }
}
