package dev.mintmark;

import dev.mintmark.CollectionSpec.Face.Shape;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * How identifiers fill the block of a face before it is enciphered.
 *
 * <pre>
 *   shape   block      a number of 64 bits      128 bits
 *   long    128 bits   and 64 zero bits         as they are
 *   uuid    117 bits   and 53 zero bits         UUIDv7: 43 bits of milliseconds, 74 random bits
 *   short    64 bits   as it is                 -
 * </pre>
 *
 * @param width part of the purpose of the key, different for each shape and width
 * @param from returns nothing for a block that {@code to} does not make
 */
record FaceBlock<T>(String width, Function<T, Ulid> to, Function<Ulid, Optional<T>> from) {
  private static final int UUID_ZEROS = 53;
  private static final int V7_RANDOM_B_BITS = 62;
  private static final long V7_RANDOM_B = (1L << V7_RANDOM_B_BITS) - 1;
  private static final int V7 = 7;

  /** The end of the milliseconds that 43 bits can count: 2248-09-26. */
  private static final long V7_MILLIS_END = 1L << 43;

  /** Blocks of collections that store bigint. */
  static FaceBlock<Long> ofNumbers(Shape shape) {
    return switch (shape) {
      case LONG ->
          new FaceBlock<>(
              "64",
              number -> Ulid.of(number, 0),
              block ->
                  block.leastSignificantBits() == 0
                      ? Optional.of(block.mostSignificantBits())
                      : Optional.empty());
      case UUID -> new FaceBlock<>("uuid-64", FaceBlock::withZeros, FaceBlock::withoutZeros);
      case SHORT ->
          new FaceBlock<>(
              "short-64",
              number -> Ulid.of(0, number),
              block -> Optional.of(block.leastSignificantBits()));
    };
  }

  /**
   * Blocks of collections that store uuid.
   *
   * @throws IllegalArgumentException if the shape has no room for them
   */
  static FaceBlock<UUID> ofUuids(Shape shape) {
    return switch (shape) {
      case LONG -> new FaceBlock<>("128", Ulid::of, block -> Optional.of(block.toUuid()));
      case UUID -> new FaceBlock<>("uuid-128", FaceBlock::ofV7, FaceBlock::toV7);
      case SHORT ->
          throw new IllegalArgumentException(
              "a face of shape short masks 64 bits: expected storage bigint, found uuid");
    };
  }

  private static Ulid withZeros(long number) {
    return Ulid.of(number >>> (Long.SIZE - UUID_ZEROS), number << UUID_ZEROS);
  }

  private static Optional<Long> withoutZeros(Ulid block) {
    long low = block.leastSignificantBits();
    return low << (Long.SIZE - UUID_ZEROS) == 0
        ? Optional.of(block.mostSignificantBits() << (Long.SIZE - UUID_ZEROS) | low >>> UUID_ZEROS)
        : Optional.empty();
  }

  private static Ulid ofV7(UUID uuid) {
    long high = uuid.getMostSignificantBits();
    long millis = high >>> 16;
    if (Uuids.version(uuid) != V7
        || Uuids.variant(uuid) != Uuids.RFC_VARIANT
        || millis >= V7_MILLIS_END) {
      throw new MalformedIdException(
          "a face of shape uuid has room for a UUIDv7 before "
              + Form.timeText(Instant.ofEpochMilli(V7_MILLIS_END))
              + ": found "
              + uuid);
    }
    long randomA = high & 0xFFF;
    long randomB = uuid.getLeastSignificantBits() & V7_RANDOM_B;
    return Ulid.of(millis << 10 | randomA >>> 2, randomA << V7_RANDOM_B_BITS | randomB);
  }

  private static Optional<UUID> toV7(Ulid block) {
    long high = block.mostSignificantBits();
    long low = block.leastSignificantBits();
    long randomA = (high & 0x3FF) << 2 | low >>> V7_RANDOM_B_BITS;
    return Optional.of(
        new UUID(
            high >>> 10 << 16 | V7 << 12 | randomA,
            (long) Uuids.RFC_VARIANT << V7_RANDOM_B_BITS | (low & V7_RANDOM_B)));
  }
}
