package dev.mintmark;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/**
 * The old face of a collection whose {@link FaceChange} is declared, for identifiers of a class.
 * {@link Mask#open} reads it; who writes answers asks here whether and how to write it.
 *
 * <p>Immutable and thread-safe.
 *
 * @param <T> the type of the identifiers
 */
public final class OldFace<T> {
  private final Texts<T> texts;
  private final String collection;
  private final String newFace;
  private final FaceChange change;
  private final InstantSource clock;
  private final OldFaceListener listener;

  /** How the old face of an identifier is written and read. */
  record Texts<T>(Function<T, String> show, Function<String, Optional<T>> open) {
    /** The texts of a type: what its {@code parse} rejects has no identifier. */
    static <T> Texts<T> of(Function<T, String> format, Function<String, T> parse) {
      return new Texts<>(
          format,
          text -> {
            try {
              return Optional.of(parse.apply(text));
            } catch (IllegalArgumentException e) {
              return Optional.empty();
            }
          });
    }
  }

  /**
   * Reads a number as it was written.
   *
   * @throws NumberFormatException if it is not, for example with a zero before it
   */
  static long number(String digits) {
    long number = Long.parseLong(digits);
    if (!Long.toString(number).equals(digits)) {
      throw new NumberFormatException(Quoted.of(digits));
    }
    return number;
  }

  OldFace(
      Texts<T> texts, CollectionSpec collection, InstantSource clock, OldFaceListener listener) {
    this.texts = texts;
    this.collection = collection.name();
    CollectionSpec.Face face = collection.face().orElseThrow();
    this.newFace =
        face.shape() == CollectionSpec.Face.Shape.UUID
            ? "is a UUID of version 8"
            : "starts with " + face.mask() + "_";
    this.change = collection.faceChange().orElseThrow();
    this.clock = clock;
    this.listener = listener;
  }

  /** Whether answers have it now: until its end. */
  public boolean isWritten() {
    return clock.instant().isBefore(change.until());
  }

  /** Whether it is a number in JSON. */
  public boolean isNumber() {
    return change.old() == FaceChange.Old.NUMBER;
  }

  /** What the name of a property is extended by for the new face. */
  public String suffix() {
    return change.suffix();
  }

  /** Returns the old face of an identifier, also after its end. */
  public String show(T id) {
    return texts.show().apply(id);
  }

  /**
   * Returns the identifier of an old face; empty if the text is none.
   *
   * @throws RetiredFaceException if it is one, and its time has ended
   */
  Optional<T> open(String text) {
    Optional<T> id = texts.open().apply(text);
    if (id.isPresent()) {
      boolean accepted = isWritten();
      listener.read(collection, accepted);
      if (!accepted) {
        throw new RetiredFaceException(text, change.until(), newFace);
      }
    }
    return id;
  }
}
