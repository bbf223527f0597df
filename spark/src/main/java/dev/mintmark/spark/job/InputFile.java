package dev.mintmark.spark.job;

/**
 * A file of the input as it was when the plan was made.
 *
 * @param path the whole path
 * @param bytes how long it is
 * @param modifiedMillis when it was last written, since 1970
 */
record InputFile(String path, long bytes, long modifiedMillis) {}
