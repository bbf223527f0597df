package dev.mintmark.spark.job;

import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;

/**
 * A file of the input, as it was when the plan was created.
 *
 * @param path the absolute path
 * @param bytes the length in bytes
 * @param modifiedMillis the time of the last modification, in milliseconds since 1970
 */
record InputFile(String path, long bytes, long modifiedMillis) {
  static InputFile of(FileStatus file) {
    return new InputFile(file.getPath().toString(), file.getLen(), file.getModificationTime());
  }

  /**
   * Returns what has happened to this file, if anything.
   *
   * @param current the file of this path now; empty if there is none
   */
  Optional<String> change(Optional<InputFile> current) {
    if (current.isEmpty()) {
      return Optional.of(path + " no longer exists");
    }
    return current.get().equals(this) ? Optional.empty() : Optional.of(path + " was modified");
  }
}
