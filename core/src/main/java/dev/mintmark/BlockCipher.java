package dev.mintmark;

/** A permutation of blocks of some bits under one key, at the end of 128 bits. Thread-safe. */
sealed interface BlockCipher permits AesBlock, Ff1 {
  Ulid encrypt(Ulid block);

  Ulid decrypt(Ulid block);
}
