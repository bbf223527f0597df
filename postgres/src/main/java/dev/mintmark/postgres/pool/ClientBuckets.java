package dev.mintmark.postgres.pool;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The bucket of a client, which decides the instance that grants values to it. The function must
 * never change: slice_load_buckets.sql has the same.
 */
final class ClientBuckets {
  /** How many buckets a pool has. */
  static final int COUNT = 1_024;

  private ClientBuckets() {}

  /** Returns the bucket of a client, 0 to {@link #COUNT} - 1: a part of the SHA-256 of its name. */
  static int of(String client) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(client.getBytes(StandardCharsets.UTF_8));
      return (Byte.toUnsignedInt(hash[0]) << Byte.SIZE | Byte.toUnsignedInt(hash[1])) & (COUNT - 1);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
