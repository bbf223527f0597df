package dev.mintmark.app.cli.pack;

/**
 * The figures of a mint: the least of all rounds.
 *
 * @param mint the default
 * @param generateMillis the time to mint all rows
 * @param insertMillis the time to insert all rows in one statement
 * @param tableBytes the size of the table afterwards
 * @param indexBytes the size of its primary key afterwards
 * @param walBytes the write-ahead log of that statement
 * @param joinMillis the time of the join
 * @param hashBytes the memory of the hash table of the join, of its largest batch
 * @param hashBatches the batches of the hash table; more than 1 if it did not fit into memory
 * @param spilledBytes what the join wrote to temporary files
 */
record BenchResult(
    BenchMint mint,
    double generateMillis,
    double insertMillis,
    long tableBytes,
    long indexBytes,
    long walBytes,
    double joinMillis,
    long hashBytes,
    long hashBatches,
    long spilledBytes) {
  /** Returns the lesser of each figure. */
  BenchResult least(BenchResult other) {
    return new BenchResult(
        mint,
        Math.min(generateMillis, other.generateMillis),
        Math.min(insertMillis, other.insertMillis),
        Math.min(tableBytes, other.tableBytes),
        Math.min(indexBytes, other.indexBytes),
        Math.min(walBytes, other.walBytes),
        Math.min(joinMillis, other.joinMillis),
        Math.min(hashBytes, other.hashBytes),
        Math.min(hashBatches, other.hashBatches),
        Math.min(spilledBytes, other.spilledBytes));
  }
}
