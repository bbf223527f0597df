package dev.mintmark.app.cli.id;

import dev.mintmark.Quoted;
import dev.mintmark.Transcoder;
import dev.mintmark.warehouse.convert.CsvConversion;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code mintmark convert} may be told of CSV. */
final class CsvOptions {
  @Option(
      names = "--csv",
      description = "Read CSV and convert the chosen columns; everything else stays as it is.")
  boolean csv;

  @Option(
      names = "--column",
      paramLabel = "NAME",
      description =
          "Of CSV, once or more: the column, by its name in the header or, without one, by its"
              + " number from 1 on.")
  List<String> columns = List.of();

  @Option(
      names = "--beside",
      paramLabel = "SUFFIX",
      description =
          "Of CSV: leave the column and add the converted one behind it, called by its name and"
              + " SUFFIX.")
  @Nullable String suffix;

  @Option(names = "--no-header", description = "Of CSV: the first line is a record already.")
  boolean noHeader;

  @Option(
      names = "--delimiter",
      paramLabel = "C",
      description = "Of CSV: what stands between fields, tab or \\t for a tab. Default: ,")
  @Nullable String delimiter;

  @Option(
      names = "--null",
      paramLabel = "TEXT",
      description = "Of CSV: a field with this text stays as it is, as one with nothing does.")
  @Nullable String nullText;

  /** The first of them that is given besides {@code --csv}. */
  Optional<String> given() {
    if (!columns.isEmpty()) {
      return Optional.of("--column");
    }
    if (suffix != null) {
      return Optional.of("--beside");
    }
    if (noHeader) {
      return Optional.of("--no-header");
    }
    if (delimiter != null) {
      return Optional.of("--delimiter");
    }
    return nullText == null ? Optional.empty() : Optional.of("--null");
  }

  /**
   * What they say.
   *
   * @throws IllegalArgumentException if they do not go together
   */
  CsvConversion conversion(Transcoder transcoder) {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("--csv needs --column NAME: which one is to be converted");
    }
    CsvConversion.Builder builder = CsvConversion.of(transcoder, columns);
    if (suffix != null) {
      builder.beside(suffix);
    }
    if (noHeader) {
      builder.withoutHeader();
    }
    if (delimiter != null) {
      builder.delimiter(character(delimiter));
    }
    if (nullText != null) {
      builder.nullText(nullText);
    }
    return builder.build();
  }

  private static char character(String text) {
    if (text.equals("tab") || text.equals("\\t")) {
      return '\t';
    }
    if (text.length() != 1) {
      throw new IllegalArgumentException(
          "--delimiter " + Quoted.of(text) + ": expected one character, or tab");
    }
    return text.charAt(0);
  }
}
