package dev.mintmark.app;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Form;
import dev.mintmark.Kind;
import dev.mintmark.Puri;
import dev.mintmark.Quoted;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What is to be minted, as a command or a request says it: a kind, or a collection of the catalog.
 *
 * @param kind how the ids are made
 * @param collection the collection they are for, if one is named
 * @param namespace the catalog's, for a pURI
 */
record Minting(Kind kind, Optional<CollectionSpec> collection, String namespace) {
  private static final SecureRandom ENTROPY = new SecureRandom();

  Minting {
    if (kind != Kind.ULID && kind != Kind.UUIDV7 && kind != Kind.UUIDV4) {
      throw new IllegalArgumentException(
          "kind %s cannot be minted here yet: expected ulid, uuidv7 or uuidv4"
              .formatted(kind.label()));
    }
  }

  static Minting of(Kind kind) {
    return new Minting(kind, Optional.empty(), "");
  }

  /**
   * What a collection declares.
   *
   * @throws IllegalArgumentException if the catalog has none of that name
   */
  static Minting of(Catalog catalog, String collection) {
    CollectionSpec spec =
        catalog
            .collection(collection)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the catalog has no collection " + Quoted.of(collection)));
    return new Minting(spec.kind(), Optional.of(spec), catalog.namespace());
  }

  /** Mints one; the clock counts for no kind but those that carry a time. */
  Ulid mint(InstantSource clock) {
    return switch (kind) {
      case ULID -> Ulid.mint(clock, ENTROPY);
      case UUIDV7 -> Ulid.of(Uuids.mintV7(clock, ENTROPY));
      default -> Ulid.of(Uuids.mintV4(ENTROPY));
    };
  }

  /** The form that ids of this kind are shown in unless another is asked for. */
  Form defaultForm() {
    return kind == Kind.ULID ? Form.TEXT : Form.UUID;
  }

  /**
   * Writes an id in a form.
   *
   * @throws IllegalArgumentException if it is a pURI and no collection is named
   */
  String write(Ulid id, Form form) {
    if (form != Form.PURI) {
      return form.write(id);
    }
    CollectionSpec spec =
        collection.orElseThrow(
            () -> new IllegalArgumentException("a pURI needs a collection: name one"));
    return Puri.of(namespace, spec.name(), defaultForm().write(id)).toString();
  }
}
