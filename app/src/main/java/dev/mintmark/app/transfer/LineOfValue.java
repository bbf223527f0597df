package dev.mintmark.app.transfer;

/**
 * The line of each value of a file, in 12 bytes or somewhat more for a value. Values are known by
 * 64 bits. Not safe for use by several threads.
 */
final class LineOfValue {
  private long[] keys = new long[1024];
  private int[] lines = new int[1024];
  private int size;

  /** Records the line of a value; of an earlier line only if that is to be replaced. */
  void put(long key, int line, boolean replace) {
    if (size * 2 >= keys.length) {
      grow();
    }
    int at = indexOf(key);
    if (lines[at] == 0) {
      size++;
      keys[at] = key;
      lines[at] = line;
    } else if (replace) {
      lines[at] = line;
    }
  }

  /** Returns the line of a value; 0 if there is none. */
  int get(long key) {
    return lines[indexOf(key)];
  }

  private int indexOf(long key) {
    int mask = keys.length - 1;
    int at = (int) ((key * 0x9E37_79B9_7F4A_7C15L) >>> 32) & mask;
    while (lines[at] != 0 && keys[at] != key) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldLines = lines;
    keys = new long[oldKeys.length * 2];
    lines = new int[oldKeys.length * 2];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldLines[i] != 0) {
        int at = indexOf(oldKeys[i]);
        keys[at] = oldKeys[i];
        lines[at] = oldLines[i];
      }
    }
  }
}
