package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Column;

/**
 * From the old values of a key to the new ones and back, as SQL expressions. Equal values become
 * equal ones, and others others.
 */
interface Conversion {
  /** The type that columns get. */
  String type();

  /** The new value of an old one; null of null. */
  String toNew(String old);

  /** The value that a column had of a new one; null of null, and of one that it cannot hold. */
  String toOld(String value, Column column);

  /** How long the texts are that these values are; 0 if they are no texts. */
  int charactersMax();

  /**
   * Whether code that knows the old type goes on through a view of the old shape. One new value may
   * stand for several old ones then. Else the new type has to be one that it can read.
   */
  boolean keepsOldShape();

  /** Whether there are new values that the old type cannot hold. */
  boolean outgrows();

  /** How much longer a row gets, in bytes. */
  int bytes();
}
