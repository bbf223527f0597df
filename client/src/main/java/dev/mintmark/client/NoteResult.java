package dev.mintmark.client;

/** The result of writing about a claim: what is written now, or why nothing was written. */
public sealed interface NoteResult permits NoteResult.Noted, NotHeld, Superseded {
  /** This is written about the claim now. */
  record Noted(ClaimNote note) implements NoteResult {}
}
