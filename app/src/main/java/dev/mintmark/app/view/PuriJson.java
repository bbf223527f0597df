package dev.mintmark.app.view;

import dev.mintmark.ColumnValue;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import org.jspecify.annotations.Nullable;

/**
 * A pURI as JSON: its segments decoded, with the current name of the collection.
 *
 * @param canonical the text that all pURIs of one row have
 * @param compact the shortest text
 * @param known whether the collection is declared
 * @param stored what the column of the collection contains; null if it cannot contain the
 *     identifier
 * @param warning why the column cannot contain the identifier; null if it can
 */
public record PuriJson(
    String input,
    String namespace,
    String collection,
    String identifier,
    String canonical,
    String compact,
    boolean known,
    @Nullable StoredValueJson stored,
    @Nullable String warning) {

  /**
   * Reads a pURI.
   *
   * @throws MalformedIdException if it is malformed
   */
  public static PuriJson read(Puris puris, String input) {
    Puri puri = puris.parse(input);
    StoredValueJson stored = null;
    String warning = null;
    try {
      ColumnValue value = puris.toStored(puri);
      stored = new StoredValueJson(value.storage().label(), value.toString());
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
