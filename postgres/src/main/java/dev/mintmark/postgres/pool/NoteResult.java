package dev.mintmark.postgres.pool;

/** The result of a change of what is written about a claim: it was changed, or why not. */
public sealed interface NoteResult permits NoteResult.Noted, NotHeld, Superseded {
  /** The claim has this note, and no other. */
  record Noted(ClaimNote note) implements NoteResult {}
}
