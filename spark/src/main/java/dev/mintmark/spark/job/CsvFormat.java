package dev.mintmark.spark.job;

import java.util.Map;
import java.util.TreeMap;

/**
 * The format of CSV files: RFC 4180 in UTF-8, with these options.
 *
 * @param header whether the first record of a file has the names of the columns
 * @param delimiter the delimiter between fields
 * @param nullText the text of a field that is null; an empty field is null only without quotes
 * @param oneLineRecords whether no field contains a line break, so that a file can be read in
 *     pieces
 */
record CsvFormat(boolean header, char delimiter, String nullText, boolean oneLineRecords) {
  /** A text that no field has. It marks a field that is empty and has no quotes. */
  static final String BARE = "\u0000mintmark:bare\u0000";

  /** Returns the options with which Spark reads such files. */
  Map<String, String> toRead() {
    Map<String, String> options = common();
    options.put("nullValue", BARE);
    options.put("emptyValue", "");
    options.put("mode", "PERMISSIVE");
    options.put("multiLine", Boolean.toString(!oneLineRecords));
    // Each file must have the header of the first file, not only as many columns.
    options.put("enforceSchema", "false");
    return options;
  }

  /** Returns the options with which Spark writes such files. */
  Map<String, String> toWrite() {
    Map<String, String> options = common();
    options.put("nullValue", nullText);
    options.put("emptyValue", "\"\"");
    // The default of Spark truncates times to milliseconds.
    options.put("timestampFormat", "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX");
    options.put("timestampNTZFormat", "yyyy-MM-dd'T'HH:mm:ss.SSSSSS");
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
