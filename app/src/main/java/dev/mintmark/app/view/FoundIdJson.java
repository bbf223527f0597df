package dev.mintmark.app.view;

import dev.mintmark.CollectionSpec;
import dev.mintmark.IdScanner;
import dev.mintmark.app.service.TextInspection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An identifier in a text, as JSON.
 *
 * @param start the index of its first UTF-16 code unit in the text
 * @param end the index after its last
 * @param readings the most likely one first; empty for an address of a pool
 * @param collection the collection of the catalog that its prefix or its pURI names, if any
 * @param claims who holds it, if it is an address of a pool
 */
public record FoundIdJson(
    int start,
    int end,
    String text,
    List<ReadingJson> readings,
    @Nullable String collection,
    List<ClaimJson> claims) {
  static FoundIdJson of(TextInspection.Id id) {
    IdScanner.Found found = id.found();
    return new FoundIdJson(
        found.start(),
        found.end(),
        found.text(),
        found.readings().stream().map(ReadingJson::of).toList(),
        found.collection().map(CollectionSpec::name).orElse(null),
        id.claims().stream().map(ClaimJson::of).toList());
  }
}
