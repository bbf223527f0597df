package dev.mintmark;

/** What speaks for it that a text in some notation is an identifier of some kind. */
enum Evidence {
  /** Hardly anything else is written so. */
  NOTATION,
  /** Bits that are the same in every identifier of the kind are so here. */
  MARK,
  /** Nothing but the time that it would carry. */
  TIME,
  /** It looks like one, and nothing better is known. */
  LOOK
}
