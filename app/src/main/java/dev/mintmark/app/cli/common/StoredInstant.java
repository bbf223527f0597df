package dev.mintmark.app.cli.common;

import dev.mintmark.app.service.InstantText;
import java.time.Instant;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time that is compared with times in the database. */
public final class StoredInstant implements ITypeConverter<Instant> {
  @Override
  public Instant convert(String text) {
    try {
      return InstantText.parse("the time", text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
