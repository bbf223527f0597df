package dev.mintmark.spark.job;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * The local disk under the scheme {@code crash:}. After a number of changes, every further change
 * fails, as for a process that was killed between two changes.
 */
public final class CrashingFileSystem extends RawLocalFileSystem {
  private static int changesLeft = Integer.MAX_VALUE;

  /** Allows a number of changes. All later changes fail. */
  static synchronized void crashAfter(int changes) {
    changesLeft = changes;
  }

  static synchronized boolean hasCrashed() {
    return changesLeft < 0;
  }

  private static synchronized void change() throws IOException {
    if (changesLeft <= 0) {
      changesLeft = -1;
      throw new IOException("killed");
    }
    changesLeft--;
  }

  @Override
  public URI getUri() {
    return URI.create("crash:///");
  }

  @Override
  public String getScheme() {
    return "crash";
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    change();
    return super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    change();
    return super.create(path, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    change();
    return super.rename(from, to);
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    change();
    return super.delete(path, recursive);
  }

  @Override
  public boolean mkdirs(Path path) throws IOException {
    change();
    return super.mkdirs(path);
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) throws IOException {
    change();
    return super.mkdirs(path, permission);
  }
}
