package dev.mintmark.catalog;

import dev.mintmark.CollectionSpec;
import java.util.List;

/** Makes the model of the faces of a catalog, and sees that no two share a mask or a key label. */
final class FaceReader {
  /** What a face has. */
  static final List<String> KEYS = List.of("mask", "key-label");

  private final TakenNames masks = new TakenNames("mask");
  private final TakenNames keyLabels = new TakenNames("key-label");

  /**
   * Reads a face.
   *
   * @param owner whose it is, as messages call it: {@code collection "payments"}
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
