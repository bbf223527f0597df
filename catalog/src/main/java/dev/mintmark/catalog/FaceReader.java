package dev.mintmark.catalog;

import dev.mintmark.CollectionSpec;
import dev.mintmark.CollectionSpec.Face.Shape;
import dev.mintmark.FaceChange;
import dev.mintmark.Quoted;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Reads the faces of a catalog, and rejects a mask or a key label that two faces share. */
final class FaceReader {
  /** Keys of a face. */
  static final List<String> KEYS = List.of("mask", "key-label", "shape");

  /** Keys of the old one of two faces. */
  static final List<String> OLD_KEYS = List.of("form", "mask", "key-label", "shape", "until");

  /** Keys of the new one of two faces. */
  static final List<String> NEW_KEYS = List.of("mask", "key-label", "shape", "suffix");

  private final TakenNames masks = new TakenNames("mask");
  private final TakenNames keyLabels = new TakenNames("key-label");

  /**
   * Reads the face or the two faces of a collection.
   *
   * @param owner the name of its owner in messages: {@code collection "payments"}
   */
  void read(String owner, YamlMapping collection, CollectionSpec.Builder builder) {
    Set<String> ownLabels = new HashSet<>();
    collection
        .value("face")
        .ifPresent(value -> builder.face(face(owner, value.mapping().allowing(KEYS), ownLabels)));
    collection
        .value("faces")
        .ifPresent(
            value -> {
              if (collection.value("face").isPresent()) {
                throw value.wrong("it replaces \"face\": keep one of them");
              }
              List<YamlValue> both = value.items();
              if (both.size() != 2) {
                throw value.wrong("expected two faces, the old and the new, found " + both.size());
              }
              YamlMapping next = both.get(1).mapping().allowing(NEW_KEYS);
              builder.face(face(owner, next, ownLabels));
              builder.faceChange(change(owner, both.get(0), next, ownLabels));
            });
  }

  private CollectionSpec.Face face(String owner, YamlMapping keys, Set<String> ownLabels) {
    Shape shape = keys.value("shape").map(each -> each.parsed(Shape::parse)).orElse(Shape.LONG);
    Optional<YamlValue> mask =
        shape == Shape.UUID ? keys.value("mask") : Optional.of(keys.required("mask"));
    YamlValue keyLabel = keys.required("key-label");
    CollectionSpec.Face face =
        modelled(
            mask.orElse(keyLabel),
            () ->
                new CollectionSpec.Face(
                    mask.map(YamlValue::text).orElse(""), keyLabel.text(), shape));
    mask.ifPresent(each -> masks.take(face.mask(), owner, each.location()));
    // The two faces of a collection may share it, as after a new prefix.
    if (ownLabels.add(face.keyLabel())) {
      keyLabels.take(face.keyLabel(), owner, keyLabel.location());
    }
    return face;
  }

  private FaceChange change(String owner, YamlValue old, YamlMapping next, Set<String> ownLabels) {
    YamlMapping keys = old.mapping().allowing(OLD_KEYS);
    Instant until = keys.required("until").instant();
    YamlValue suffix = next.required("suffix");
    if (keys.value("form").isEmpty()) {
      CollectionSpec.Face mask = face(owner, keys, ownLabels);
      return modelled(suffix, () -> FaceChange.ofMask(mask, until, suffix.text()));
    }
    for (String key : KEYS) {
      keys.value(key)
          .ifPresent(
              value -> {
                throw value.wrong("an old face has a \"form\" or a mask: keep one of them");
              });
    }
    FaceChange.Old form = keys.required("form").parsedText(FaceReader::form);
    return modelled(
        suffix,
        () ->
            form == FaceChange.Old.NUMBER
                ? FaceChange.ofNumber(until, suffix.text())
                : FaceChange.ofText(until, suffix.text()));
  }

  private static <T> T modelled(YamlValue value, Supplier<T> model) {
    return value.location().modelled(model);
  }

  private static FaceChange.Old form(String label) {
    return switch (label) {
      case "text" -> FaceChange.Old.TEXT;
      case "number" -> FaceChange.Old.NUMBER;
      default ->
          throw new IllegalArgumentException("expected text or number, found " + Quoted.of(label));
    };
  }
}
