package dev.mintmark.app.cli.id;

import dev.mintmark.Quoted;
import dev.mintmark.Transcoder;
import dev.mintmark.warehouse.convert.CsvConversion;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The CSV options of {@code mintmark convert}. */
final class CsvOptions {
  @Option(
      names = "--csv",
      description = "Read CSV and convert the selected columns. All other bytes are copied.")
  boolean csv;

  @Option(
      names = "--column",
      paramLabel = "NAME",
      description =
          "CSV: a column to convert: its name in the header or, without a header, its number from"
              + " 1. Repeatable.")
  List<String> columns = List.of();

  @Option(
      names = "--beside",
      paramLabel = "SUFFIX",
      description =
          "CSV: keep the column and insert the converted column after it. Its name is the name of"
              + " the column and SUFFIX.")
  @Nullable String suffix;

  @Option(names = "--no-header", description = "CSV: there is no header line.")
  boolean noHeader;

  @Option(
      names = "--delimiter",
      paramLabel = "C",
      description = "CSV: the field delimiter; tab or \\t for a tab. Default: ,")
  @Nullable String delimiter;

  @Option(
      names = "--null",
      paramLabel = "TEXT",
      description = "CSV: a field with this text is copied unchanged, as an empty field is.")
  @Nullable String nullText;

  /** Returns the first of these options that is given, except {@code --csv}. */
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
   * Returns the conversion.
   *
   * @throws IllegalArgumentException if the options cannot be combined
   */
  CsvConversion conversion(Transcoder transcoder) {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("--csv requires --column NAME, the column to convert");
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
