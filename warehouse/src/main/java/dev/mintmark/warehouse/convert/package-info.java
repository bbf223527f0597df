/**
 * Conversion of the identifiers in files, from stream to stream in constant memory: one a line, or
 * the chosen columns of CSV.
 *
 * <p>{@link dev.mintmark.warehouse.convert.LineConversion} and {@link
 * dev.mintmark.warehouse.convert.CsvConversion} say what is converted, {@link
 * dev.mintmark.warehouse.convert.Rejects} what becomes of what cannot be.
 */
@NullMarked
package dev.mintmark.warehouse.convert;

import org.jspecify.annotations.NullMarked;
