package dev.mintmark.spark.job;

/**
 * A file of the input, as it was when the plan was created.
 *
 * @param path the absolute path
 * @param bytes the length in bytes
 * @param modifiedMillis the time of the last modification, in milliseconds since 1970
 */
record InputFile(String path, long bytes, long modifiedMillis) {}
