package dev.mintmark.app.view;

import dev.mintmark.ColumnValue;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import org.jspecify.annotations.Nullable;

/**
 * A pURI as JSON: its segments decoded and under their present names.
 *
 * @param canonical the text that all of the same row share
 * @param compact the text for a client that counts bytes
 * @param known whether the collection is declared
 * @param stored what the column of the collection holds; null where it can hold no such identifier
 * @param warning why it cannot, else null
 */
public record PuriJson(
    String input,
    String namespace,
    String collection,
    String identifier,
    String canonical,
    String compact,
    boolean known,
    @Nullable StoredValue stored,
    @Nullable String warning) {

  /** A value of a column; a string also where it is a number, since that can pass 2^53-1. */
  record StoredValue(String type, String value) {}

  /**
   * Reads a pURI.
   *
   * @throws MalformedIdException if it is none
   */
  public static PuriJson read(Puris puris, String input) {
    Puri puri = puris.parse(input);
    StoredValue stored = null;
    String warning = null;
    try {
      ColumnValue value = puris.toStored(puri);
      stored = new StoredValue(value.storage().label(), value.toString());
    } catch (MalformedIdException e) {
      warning = e.getMessage();
    }
    return new PuriJson(
        input,
        puri.namespace(),
        puri.collection(),
        puri.identifier(),
        puri.canonical().toString(),
        puris.toCompact(puri),
        puris.collection(puri).isPresent(),
        stored,
        warning);
  }
}
