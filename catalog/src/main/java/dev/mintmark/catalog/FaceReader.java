package dev.mintmark.catalog;

import dev.mintmark.CollectionSpec;
import java.util.List;

/** Reads the faces of a catalog, and rejects a mask or a key label that two faces share. */
final class FaceReader {
  /** Keys of a face. */
  static final List<String> KEYS = List.of("mask", "key-label");

  private final TakenNames masks = new TakenNames("mask");
  private final TakenNames keyLabels = new TakenNames("key-label");

  /**
   * Reads a face.
   *
   * @param owner the name of its owner in messages: {@code collection "payments"}
   */
  CollectionSpec.Face read(String owner, YamlValue value) {
    YamlMapping keys = value.mapping().allowing(KEYS);
    YamlValue mask = keys.required("mask");
    YamlValue keyLabel = keys.required("key-label");
    CollectionSpec.Face face =
        value.location().modelled(() -> new CollectionSpec.Face(mask.text(), keyLabel.text()));
    masks.take(face.mask(), owner, mask.location());
    keyLabels.take(face.keyLabel(), owner, keyLabel.location());
    return face;
  }
}
