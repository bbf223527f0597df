package dev.mintmark.postgres.pool;

import org.jspecify.annotations.Nullable;

/**
 * A set of clients with false positives, but without false negatives: a Bloom filter (Bloom,
 * "Space/Time Trade-offs in Hash Coding with Allowable Errors", 1970) whose hashes are computed
 * from two (Kirsch and Mitzenmacher, "Less Hashing, Same Performance", 2006).
 *
 * <p>With 32 bits a client and 8 hashes, about 6 clients in a million are false positives. A pool
 * of 2^20 values takes 4 MiB. A filter that is full is followed by another one, which knows what
 * the earlier ones contain (Almeida and others, "Scalable Bloom Filters", 2007): each adds its own
 * false positives.
 *
 * <p>One thread may add. Other threads may ask after they have seen a later volatile write.
 */
final class ClientFilter {
  private static final int BITS_PER_CLIENT = 32;
  private static final int HASHES = 8;
  static final int CAPACITY_MIN = 32;

  private final long[] words;
  private final long capacity;
  private final @Nullable ClientFilter earlier;
  private long added;

  /** A filter for {@code capacity} clients. */
  ClientFilter(long capacity) {
    this(capacity, null);
  }

  /** A filter for {@code capacity} clients more than an earlier one has. */
  ClientFilter(long capacity, @Nullable ClientFilter earlier) {
    this.earlier = earlier;
    this.capacity = Math.max(capacity, CAPACITY_MIN);
    long words = this.capacity * BITS_PER_CLIENT / Long.SIZE;
    this.words = new long[powerOfTwoFrom((int) words)];
  }

  void add(String client) {
    long hash = hash(client);
    for (int i = 0; i < HASHES; i++) {
      int bit = bit(hash, i);
      words[bit >>> 6] |= 1L << bit;
    }
    added++;
  }

  boolean mayContain(String client) {
    long hash = hash(client);
    for (ClientFilter filter = this; filter != null; filter = filter.earlier) {
      if (filter.mayHave(hash)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayHave(long hash) {
    for (int i = 0; i < HASHES; i++) {
      int bit = bit(hash, i);
      if ((words[bit >>> 6] & 1L << bit) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether so many more clients are no more than the filter was made for. */
  boolean hasRoomFor(long more) {
    return added + more <= capacity;
  }

  /** Whether so many more clients would lead to too many false positives. */
  boolean isFullWith(long more) {
    return added + more > 2 * capacity;
  }

  private int bit(long hash, int i) {
    int first = (int) hash;
    int second = (int) (hash >>> 32) | 1;
    return (first + i * second) & (words.length * Long.SIZE - 1);
  }

  /** FNV-1a over the characters, 64 bits, with the finalizer of SplitMix64. */
  private static long hash(String client) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < client.length(); i++) {
      hash = (hash ^ client.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    return hash ^ (hash >>> 31);
  }

  private static int powerOfTwoFrom(int words) {
    return words == 1 ? 1 : Integer.highestOneBit(words - 1) << 1;
  }
}
