package dev.mintmark.hibernate;

/** Where {@link Minted} ids are made. */
public enum MintedBy {
  /** In this process, without a statement. */
  JAVA,

  /** By the server, in blocks, in the transaction that inserts the row. */
  SERVER
}
