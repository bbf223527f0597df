package dev.mintmark.operations.migrate;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.migrate.KeyGroup.Member;
import dev.mintmark.operations.migrate.KeyTexts.Invalid;
import dev.mintmark.operations.migrate.KeyTexts.Way;
import dev.mintmark.postgres.internal.SqlName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a plan says of texts in the columns of a key that are not identifiers as they should be
 * written.
 *
 * @param key the column of the collection
 */
record InvalidTexts(CollectionSpec collection, Member key, KeyTexts texts) {
  private static final String DECLARE_TEXT = "declare kind: text";

  /** Returns why the key cannot change, if so, under a choice of what becomes of such texts. */
  Optional<Refusal> refusal(InvalidValues choice) {
    if (collection.kind().has(Kind.Option.PREFIX)) {
      return refusal(
          RefusalCode.PREFIXED_TEXT,
          "its texts have a prefix; removing it is not supported",
          "declare storage: text");
    }
    boolean isRefused =
        texts.invalid().stream()
            .anyMatch(
                found ->
                    switch (choice) {
                      case REFUSE -> true;
                      case NORMALISE -> !found.way().isLoose();
                      case QUARANTINE -> false;
                    });
    if (!isRefused) {
      return Optional.empty();
    }
    if (isMost(texts.count(Way.PREFIXED))) {
      return refusal(
          RefusalCode.PREFIXED_TEXT, found() + "; removing it is not supported", DECLARE_TEXT);
    }
    return refusal(RefusalCode.INVALID_VALUES, found(), remedy());
  }

  private Optional<Refusal> refusal(RefusalCode code, String reason, String remedy) {
    return Optional.of(
        new Refusal(code, collection.name(), "column " + key.shown(), reason, remedy));
  }

  private String found() {
    return "of %,d texts %s"
        .formatted(
            texts.count(),
            texts.invalid().stream().map(Invalid::toString).collect(Collectors.joining("; ")));
  }

  private String remedy() {
    if (isMost(unreadable())) {
      return "most are another kind of key: " + DECLARE_TEXT;
    }
    List<String> remedies = new ArrayList<>();
    texts.invalid().stream()
        .filter(found -> isNone(found))
        .forEach(found -> remedies.add("store null in place of empty texts: " + emptied(found)));
    boolean isUnreadable =
        texts.invalid().stream().anyMatch(found -> !found.way().isLoose() && !isNone(found));
    if (isUnreadable) {
      remedies.add("correct the texts that are not identifiers, or choose --invalid quarantine");
    } else if (texts.invalid().stream().anyMatch(found -> found.way().isLoose())) {
      remedies.add("correct the spelling, or choose --invalid normalise");
    }
    return String.join("; ", remedies);
  }

  /** Whether it is an empty text in the place of no reference. */
  private boolean isNone(Invalid found) {
    return found.way() == Way.EMPTY && !found.member().equals(key);
  }

  /** Returns the statements that store null in place of empty texts. */
  private static String emptied(Invalid found) {
    Column column = found.member().column();
    String table = found.member().table().quoted();
    String name = SqlName.quoted(column.name());
    List<String> actions = new ArrayList<>();
    if (column.notNull()) {
      actions.add("alter column " + name + " drop not null");
    }
    if (column.hasExpression()) {
      actions.add("alter column " + name + " drop default");
    }
    return (actions.isEmpty()
            ? ""
            : "alter table " + table + " " + String.join(", ", actions) + "; ")
        + "update %1$s set %2$s = null where %2$s = ''".formatted(table, name);
  }

  private long unreadable() {
    return texts.invalid().stream()
        .filter(found -> !found.way().isLoose())
        .mapToLong(Invalid::count)
        .sum();
  }

  private boolean isMost(long count) {
    return count * 2 > texts.count();
  }

  /** Returns what to know if the texts are accepted. */
  List<String> notes(InvalidValues choice) {
    List<String> notes = new ArrayList<>();
    if (texts.invalid().isEmpty()) {
      return notes;
    }
    notes.add("%s: %s: %s".formatted(collection.name(), choice.label(), found()));
    if (isMost(unreadable())) {
      notes.add(
          "%s: %s takes %,d of %,d texts: this is another kind of key: %s"
              .formatted(
                  collection.name(), choice.label(), unreadable(), texts.count(), DECLARE_TEXT));
    }
    texts.invalid().stream()
        .filter(found -> isNone(found))
        .forEach(
            found ->
                notes.add(
                    "the empty text in %s becomes an identifier: if it stands for no reference, store null: %s"
                        .formatted(found.member().shown(), emptied(found))));
    return notes;
  }
}
