package dev.mintmark;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What clients saw of a collection before it had its present {@link CollectionSpec.Face}, and until
 * when they may use it. Until then both faces are read, and answers have both; afterwards the old
 * one is rejected with a {@link RetiredFaceException}.
 *
 * <pre>{@code
 * CollectionSpec.builder("payments", Kind.SEQUENCE)
 *     .face(new CollectionSpec.Face("pay", "payments"))
 *     .faceChange(FaceChange.ofNumber(Instant.parse("2027-06-30T00:00:00Z"), "_str"))
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 *
 * @param old what the old face is
 * @param mask the mask of the old face, if it is a mask; else empty
 * @param until from when on the old face is rejected
 * @param suffix what the name of a JSON property is extended by for the new face, {@code id_str}
 *     beside {@code id}: 1 to 32 of {@code A-Z a-z 0-9 _}
 * @see Mask#old
 */
public record FaceChange(
    Old old, Optional<CollectionSpec.Face> mask, Instant until, String suffix) {
  private static final Pattern SUFFIX = Pattern.compile("[A-Za-z0-9_]{1,32}");

  /** What the old face is. */
  public enum Old {
    /** The plain text: that of the identifier's class, {@code PM000123} or a UUID. */
    TEXT,
    /** The number that the column holds: in JSON a number, elsewhere its digits. */
    NUMBER,
    /** Another mask. */
    MASK
  }

  /**
   * Checks the suffix, and that there is a mask if the old face is one.
   *
   * @throws IllegalArgumentException if the suffix is malformed, or if there is a mask too many or
   *     too few
   */
  public FaceChange {
    if (mask.isPresent() != (old == Old.MASK)) {
      throw new IllegalArgumentException(
          "an old face is a mask, or the plain text, or the number: expected one of them");
    }
    if (!SUFFIX.matcher(suffix).matches()) {
      throw new IllegalArgumentException(
          "malformed suffix "
              + Quoted.of(suffix)
              + ": expected 1 to 32 of A-Z, a-z, 0-9 and '_', such as _str");
    }
  }

  /** Returns the change from the plain text. */
  public static FaceChange ofText(Instant until, String suffix) {
    return new FaceChange(Old.TEXT, Optional.empty(), until, suffix);
  }

  /** Returns the change from the number. */
  public static FaceChange ofNumber(Instant until, String suffix) {
    return new FaceChange(Old.NUMBER, Optional.empty(), until, suffix);
  }

  /** Returns the change from another mask. */
  public static FaceChange ofMask(CollectionSpec.Face mask, Instant until, String suffix) {
    return new FaceChange(Old.MASK, Optional.of(mask), until, suffix);
  }

  /**
   * Checks that the change fits to the present face and to the storage.
   *
   * @throws IllegalArgumentException if it does not
   */
  void checkBeside(Optional<CollectionSpec.Face> face, Kind.Storage storage) {
    if (face.isEmpty()) {
      throw new IllegalArgumentException("an old face requires a new one: add a mask");
    }
    if (old == Old.NUMBER && storage != Kind.Storage.BIGINT) {
      throw new IllegalArgumentException(
          "an old face that is a number requires storage bigint, found " + storage.label());
    }
    CollectionSpec.Face.Shape shape = face.get().shape();
    if (shape == CollectionSpec.Face.Shape.UUID
        && mask.filter(before -> before.shape() == shape).isPresent()) {
      throw new IllegalArgumentException(
          "two faces that are UUIDs cannot be told apart: expected another shape");
    }
    if (mask.filter(before -> before.mask().equals(face.get().mask())).isPresent()) {
      throw new IllegalArgumentException(
          "the old and the new face have the mask "
              + Quoted.of(face.get().mask())
              + ": expected two different ones");
    }
  }
}
