package dev.mintmark.spark.job;

import java.util.Map;
import java.util.TreeMap;

/**
 * How CSV is written: by RFC 4180, in UTF-8.
 *
 * @param header whether the first record of a file names the columns
 * @param delimiter what stands between two fields
 * @param nullText the field that stands for null; the empty one is so only without quotes
 * @param oneLineRecords whether no field holds a line break, so that a file can be read in pieces
 */
record CsvOptions(boolean header, char delimiter, String nullText, boolean oneLineRecords) {
  /** What no field of a file is: it stands for a field that is empty and without quotes. */
  static final String BARE = "\u0000mintmark:bare\u0000";

  /** Spark's options to read such files. */
  Map<String, String> toRead() {
    Map<String, String> options = common();
    options.put("nullValue", BARE);
    options.put("emptyValue", "");
    options.put("mode", "PERMISSIVE");
    options.put("multiLine", Boolean.toString(!oneLineRecords));
    // Each file has to have the header of the first, not only as many columns.
    options.put("enforceSchema", "false");
    return options;
  }

  /** Spark's options to write such files. */
  Map<String, String> toWrite() {
    Map<String, String> options = common();
    options.put("nullValue", nullText);
    options.put("emptyValue", "\"\"");
    // Spark would cut them to milliseconds.
    options.put("timestampFormat", "yyyy-MM-dd'T'HH:mm:ss[.SSSSSS]XXX");
    options.put("timestampNTZFormat", "yyyy-MM-dd'T'HH:mm:ss[.SSSSSS]");
    return options;
  }

  private Map<String, String> common() {
    Map<String, String> options = new TreeMap<>();
    options.put("header", Boolean.toString(header));
    options.put("sep", String.valueOf(delimiter));
    options.put("quote", "\"");
    options.put("escape", "\"");
    options.put("encoding", "UTF-8");
    options.put("ignoreLeadingWhiteSpace", "false");
    options.put("ignoreTrailingWhiteSpace", "false");
    return options;
  }
}
