package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What people have written about the claims of a pool. It is in tables of its own: a claim without
 * a note costs nothing, and nothing moves when a claim with one ends. Safe for use by many threads.
 */
public final class ClaimNotes {
  /** The most claims whose notes are read at once. */
  public static final int READ_MAX = 10_000;

  private static final SqlFile READ_NOTES = SqlFile.load(ClaimNotes.class, "read_notes");
  private static final SqlFile SET_NOTE = SqlFile.load(ClaimNotes.class, "set_note");
  private static final SqlFile SET_LABELS = SqlFile.load(ClaimNotes.class, "set_labels");
  private static final SqlFile DELETE_NOTE = SqlFile.load(ClaimNotes.class, "delete_note");

  private final PoolContext context;

  ClaimNotes(PoolContext context) {
    this.context = context;
  }

  /**
   * Returns the notes of claims, held or ended, by their tokens. Claims without a note are left
   * out.
   *
   * @param tokens at most {@value #READ_MAX}
   * @throws IllegalArgumentException if there are more
   * @throws PoolUnavailableException if the database failed
   * @throws UnknownPoolException if the pool was deleted
   */
  public Map<Long, ClaimNote> of(Collection<Long> tokens) {
    if (tokens.size() > READ_MAX) {
      throw new IllegalArgumentException(tokens.size() + " tokens: expected at most " + READ_MAX);
    }
    Map<Long, ClaimNote> notes = new HashMap<>();
    if (!tokens.isEmpty()) {
      List<Boolean> rows =
          context
              .database()
              .query(
                  READ_NOTES,
                  row -> read(row, notes),
                  context.poolId(),
                  bind("tokens", tokens.toArray(Long[]::new)));
      if (rows.isEmpty()) {
        context.checkKnown();
      }
    }
    return notes;
  }

  /** Returns false if no note was found. */
  private static boolean read(ResultSet row, Map<Long, ClaimNote> notes) throws SQLException {
    Long token = row.getObject("token", Long.class);
    if (token == null) {
      return false;
    }
    notes.put(token, read(row));
    return true;
  }

  /** Returns the note of a claim, held or ended. */
  public ClaimNote of(long token) {
    return of(List.of(token)).getOrDefault(token, ClaimNote.NONE);
  }

  /**
   * Replaces the note of a claim that is held.
   *
   * @param token the claim's token: the note of a later claim is not changed
   * @param note {@link ClaimNote#NONE} deletes it
   * @throws PoolUnavailableException if the database failed; setting it again is safe
   */
  public NoteResult set(String value, long token, ClaimNote note) {
    Optional<Claim> held = context.find(value);
    if (held.isEmpty()) {
      return new NotHeld(context.name(), value);
    }
    if (held.get().token() != token) {
      return new Superseded(context.name(), value);
    }
    return write(token, note) ? new NoteResult.Noted(note) : new NotHeld(context.name(), value);
  }

  /** Writes the note of a request on what it was granted, or held already. */
  ClaimResult attach(ClaimResult result, ClaimRequest request) {
    List<Claim> claims =
        result instanceof Granted granted
            ? granted.claims()
            : result instanceof AlreadyHeld held ? held.claims() : List.of();
    for (Claim claim : claims) {
      ClaimNote note = request.noteFor(claim);
      if (!note.isEmpty()) {
        boolean unused = write(claim.token(), note);
      }
    }
    return result;
  }

  /** Returns false if no value is held with this token. */
  private boolean write(long token, ClaimNote note) {
    if (note.isEmpty()) {
      int deleted =
          context.change(
              database ->
                  database.single(
                      statements ->
                          statements.update(DELETE_NOTE, context.poolId(), bind("token", token))));
      if (deleted == 0) {
        context.checkKnown();
      }
      return true;
    }
    boolean written =
        context.change(
            database ->
                database.transaction(
                    statements -> {
                      boolean isHeld =
                          statements.update(
                                  SET_NOTE,
                                  context.poolId(),
                                  bind("token", token),
                                  bind("keys", note.labels().keySet().toArray(String[]::new)),
                                  bind("values", note.labels().values().toArray(String[]::new)),
                                  bind("dns_name", note.dnsName().orElse(null)),
                                  bind("description", note.description().orElse(null)))
                              > 0;
                      // A statement of its own: it sees what a change of the same note has
                      // committed, for which the one before has waited.
                      int unused =
                          statements.update(SET_LABELS, context.poolId(), bind("token", token));
                      return isHeld;
                    },
                    isHeld -> isHeld));
    if (!written) {
      context.checkKnown();
    }
    return written;
  }

  private static ClaimNote read(ResultSet row) throws SQLException {
    String[] keys = (String[]) row.getArray("keys").getArray();
    String[] values = (String[]) row.getArray("values").getArray();
    SortedMap<String, String> labels = new TreeMap<>();
    for (int i = 0; i < keys.length; i++) {
      labels.put(keys[i], values[i]);
    }
    return new ClaimNote(
        labels,
        Optional.ofNullable(row.getString("dns_name")),
        Optional.ofNullable(row.getString("description")));
  }
}
