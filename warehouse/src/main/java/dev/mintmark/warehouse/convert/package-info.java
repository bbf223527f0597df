/**
 * Conversion of identifiers in files, from stream to stream in constant memory.
 *
 * <p>{@link dev.mintmark.warehouse.convert.LineConversion} converts files with one identifier per
 * line, {@link dev.mintmark.warehouse.convert.CsvConversion} converts chosen columns of CSV. {@link
 * dev.mintmark.warehouse.convert.Rejects} specifies the handling of rows that cannot be converted.
 */
@NullMarked
package dev.mintmark.warehouse.convert;

import org.jspecify.annotations.NullMarked;
