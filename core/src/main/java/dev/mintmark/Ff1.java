package dev.mintmark;

/**
 * FF1 with AES-256 on numbers of a fixed width, in radix 2 and without a tweak: a permutation of
 * these numbers for faces that have no room for a block of AES. Ten rounds of a Feistel network,
 * each of which adds to one half what AES makes of the other.
 *
 * <p>Thread-safe.
 *
 * @see <a href="https://doi.org/10.6028/NIST.SP.800-38G">NIST SP 800-38G, section 5.1</a>
 */
final class Ff1 implements BlockCipher {
  private static final int ROUNDS = 10;
  private static final int RADIX = 2;

  private final AesBlock aes;

  /** The bits of the first half and of the second, which may have one more. */
  private final int leftBits;

  private final int rightBits;

  /** The bytes of a half in the input of AES. */
  private final int halfBytes;

  /** AES of the first block of the input, which all rounds have in common. */
  private final Ulid common;

  /**
   * @param bits the width of the numbers: 20 to 126
   */
  Ff1(AesBlock aes, int bits) {
    this.aes = aes;
    leftBits = bits / 2;
    rightBits = bits - leftBits;
    halfBytes = (rightBits + Byte.SIZE - 1) / Byte.SIZE;
    common =
        aes.encrypt(
            Ulid.of(
                0x0102_0100_0000_0000L | RADIX << 16 | ROUNDS << 8 | leftBits, (long) bits << 32));
  }

  @Override
  public Ulid encrypt(Ulid block) {
    long a = left(block);
    long b = right(block);
    for (int round = 0; round < ROUNDS; round++) {
      long sum = a + output(round, b) & mask(bits(round));
      a = b;
      b = sum;
    }
    return join(a, b);
  }

  @Override
  public Ulid decrypt(Ulid block) {
    long a = left(block);
    long b = right(block);
    for (int round = ROUNDS - 1; round >= 0; round--) {
      long difference = b - output(round, a) & mask(bits(round));
      b = a;
      a = difference;
    }
    return join(a, b);
  }

  /** The bits of the half that a round changes. */
  private int bits(int round) {
    return round % 2 == 0 ? leftBits : rightBits;
  }

  /** The last 64 bits of the output of a round. */
  private long output(int round, long half) {
    boolean isLong = halfBytes == Long.BYTES;
    long high = isLong ? round : 0;
    long low = isLong ? half : (long) round << (halfBytes * Byte.SIZE) | half;
    Ulid output =
        aes.encrypt(
            Ulid.of(common.mostSignificantBits() ^ high, common.leastSignificantBits() ^ low));
    return halfBytes <= Integer.BYTES
        ? output.mostSignificantBits()
        : output.mostSignificantBits() << 32 | output.leastSignificantBits() >>> 32;
  }

  private long left(Ulid block) {
    long shifted =
        block.mostSignificantBits() << (Long.SIZE - rightBits)
            | block.leastSignificantBits() >>> rightBits;
    return shifted & mask(leftBits);
  }

  private long right(Ulid block) {
    return block.leastSignificantBits() & mask(rightBits);
  }

  private Ulid join(long left, long right) {
    return Ulid.of(left >>> (Long.SIZE - rightBits), left << rightBits | right);
  }

  private static long mask(int bits) {
    return (1L << bits) - 1;
  }
}
