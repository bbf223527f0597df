package dev.mintmark.app.service;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.ColumnValue;
import dev.mintmark.Form;
import dev.mintmark.IdReader;
import dev.mintmark.IdType;
import dev.mintmark.Keyring;
import dev.mintmark.Kind;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Masks;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import dev.mintmark.Quoted;
import dev.mintmark.RetiredFaceException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes the forms {@linkplain Form#isOfCollection of a collection} - pURIs, compact ones and the
 * faces of masks - and opens faces. A pURI names its collection itself.
 *
 * <p>Thread-safe.
 */
public final class CollectionForms {
  private static final int NUMBER_DIGITS_MAX = 19;

  /** A UUID after it is no pURI. */
  private static final String URN = "urn:uuid:";

  private final Catalog catalog;
  private final Puris puris;
  private final Supplier<Keyring> keyring;
  private @Nullable Masks masks;

  /** An identifier of a collection of a namespace, as the column of the collection holds it. */
  private record Stored(String namespace, CollectionSpec collection, ColumnValue value) {}

  private CollectionForms(Catalog catalog, Supplier<Keyring> keyring) {
    this.catalog = catalog;
    this.puris = Puris.of(catalog);
    this.keyring = keyring;
  }

  /**
   * Returns the forms of a catalog.
   *
   * @param keyring the keys of masks; called once, for the first mask
   */
  public static CollectionForms of(Catalog catalog, Supplier<Keyring> keyring) {
    return new CollectionForms(catalog, keyring);
  }

  /**
   * Returns what writes identifiers in a form of a collection. It throws {@link
   * MalformedIdException} for a text that is not an identifier of the collection.
   *
   * @param to a form of a collection
   * @param collection the collection of identifiers that are no pURIs, if there are any
   * @param reader reads identifiers of 128 bits that are no pURIs
   * @throws IllegalArgumentException if the form is a mask and the collection has no face
   */
  public UnaryOperator<String> writing(
      Form to, Optional<CollectionSpec> collection, IdReader reader) {
    if (to == Form.MASK) {
      collection.ifPresent(this::checkFace);
      masks(); // An error of the keys is not one of the first identifier.
    }
    return text -> {
      Optional<Puri> puri = puri(text.strip());
      if (puri.isPresent() && puris.collection(puri.get()).isEmpty() && collection.isEmpty()) {
        return undeclared(puri.get(), to);
      }
      return write(stored(text.strip(), puri, collection, reader), to);
    };
  }

  /**
   * Returns what opens the faces of a collection and writes the identifiers in a form. It throws
   * {@link MalformedIdException} for a text that is not a face of the collection.
   *
   * @param to the form; empty for the text of the kind of the collection: {@code PM000123}
   * @throws IllegalArgumentException if the collection has no face
   */
  public UnaryOperator<String> opening(CollectionSpec collection, Optional<Form> to) {
    checkFace(collection);
    masks();
    IdType<?> type = IdType.of(collection);
    Optional<IdReader> reader =
        to.filter(form -> !form.isOfCollection()).map(form -> IdReader.of(type));
    return face -> {
      ColumnValue opened = open(collection, face.strip());
      if (to.isEmpty()) {
        return text(type, opened);
      }
      return reader.isPresent()
          ? reader.get().write(text(type, opened), to.get())
          : write(new Stored(catalog.namespace(), collection, opened), to.get());
    };
  }

  private Optional<Puri> puri(String text) {
    boolean isUrn = text.regionMatches(true, 0, URN, 0, URN.length());
    boolean isPuri = !isUrn && (text.indexOf(':') >= 0 || text.indexOf('.') >= 0);
    return isPuri ? puris.tryParse(text) : Optional.empty();
  }

  private void checkFace(CollectionSpec collection) {
    if (collection.face().isEmpty()) {
      throw new IllegalArgumentException(
          "collection %s has no face: declare one".formatted(Quoted.of(collection.name())));
    }
  }

  private Stored stored(
      String text, Optional<Puri> puri, Optional<CollectionSpec> named, IdReader reader) {
    if (puri.isPresent()) {
      Optional<CollectionSpec> declared = puris.collection(puri.get());
      if (named.isPresent() && !isOwn(puri.get(), declared, named.get())) {
        throw new MalformedIdException(
            "malformed identifier %s: expected one of collection %s"
                .formatted(Quoted.of(text), Quoted.of(named.get().name())));
      }
      return new Stored(puri.get().namespace(), declared.orElseThrow(), puris.toStored(puri.get()));
    }
    CollectionSpec collection =
        named.orElseThrow(
            () ->
                new MalformedIdException(
                    "malformed pURI %s: expected one of the catalog, because no collection is named"
                        .formatted(Quoted.of(text))));
    return new Stored(catalog.namespace(), collection, value(text, collection, reader));
  }

  private boolean isOwn(Puri puri, Optional<CollectionSpec> declared, CollectionSpec named) {
    return declared.filter(named::equals).isPresent() && isOurs(puri.namespace());
  }

  private boolean isOurs(String namespace) {
    return namespace.equalsIgnoreCase(catalog.namespace());
  }

  /** Reads an identifier of a collection as its column holds it. */
  private static ColumnValue value(String text, CollectionSpec collection, IdReader reader) {
    IdType<?> kept = IdType.of(collection);
    Kind kind = collection.kind();
    if (kind.storage() == Kind.Storage.UUID) {
      IdType<?> type = IdType.of(kind, collection.prefix().orElse(""));
      UUID bits = reader.bits(text).toUuid();
      return column(kept, text(type, new ColumnValue.Uuid(bits)));
    }
    try {
      return column(kept, text);
    } catch (MalformedIdException e) {
      boolean isNumber =
          collection.storage() == Kind.Storage.BIGINT
              && text.length() <= NUMBER_DIGITS_MAX
              && text.matches("0|[1-9][0-9]*");
      return number(isNumber, text).orElseThrow(() -> e);
    }
  }

  private static Optional<ColumnValue> number(boolean isNumber, String text) {
    try {
      return isNumber
          ? Optional.of(new ColumnValue.Bigint(Long.parseLong(text)))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty(); // 2^63 or more
    }
  }

  private static <T> ColumnValue column(IdType<T> type, String text) {
    return type.toStored(type.parse(text));
  }

  private static <T> String text(IdType<T> type, ColumnValue stored) {
    return type.format(type.fromStored(stored));
  }

  private String write(Stored id, Form to) {
    return switch (to) {
      case PURI -> puri(id).toString();
      case COMPACT -> puris.toCompact(puri(id));
      case MASK -> show(id);
      default -> throw new IllegalArgumentException("not a form of a collection: " + to.label());
    };
  }

  private Puri puri(Stored id) {
    return puris.fromStored(id.namespace, id.collection.name(), id.value);
  }

  /** Writes a pURI of a collection that the catalog does not have. */
  private String undeclared(Puri puri, Form to) {
    if (to == Form.MASK) {
      throw new MalformedIdException(
          "no form \"mask\" of %s: the catalog does not have its collection"
              .formatted(Quoted.of(puri.toString())));
    }
    return to == Form.COMPACT ? puris.toCompact(puri) : puri.toString();
  }

  private String show(Stored id) {
    CollectionSpec collection = id.collection;
    ColumnValue value = id.value;
    if (!isOurs(id.namespace) || collection.face().isEmpty()) {
      throw new MalformedIdException(
          "no form \"mask\" of %s: collection %s has no face"
              .formatted(Quoted.of(value.toString()), Quoted.of(collection.name())));
    }
    return collection.storage() == Kind.Storage.BIGINT
        ? masks().of(Long.class, collection.name()).show((Long) value.toObject())
        : masks().of(UUID.class, collection.name()).show((UUID) value.toObject());
  }

  private ColumnValue open(CollectionSpec collection, String face) {
    try {
      return collection.storage() == Kind.Storage.BIGINT
          ? new ColumnValue.Bigint(masks().of(Long.class, collection.name()).open(face))
          : new ColumnValue.Uuid(masks().of(UUID.class, collection.name()).open(face));
    } catch (RetiredFaceException e) {
      throw new MalformedIdException(String.valueOf(e.getMessage()));
    }
  }

  private synchronized Masks masks() {
    if (masks == null) {
      masks = Masks.of(catalog, keyring.get());
    }
    return masks;
  }
}
