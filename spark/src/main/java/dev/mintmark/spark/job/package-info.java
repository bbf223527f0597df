/**
 * The job that puts readable columns beside uuid columns.
 *
 * <p>An input is divided into parts once, and the plan is kept ({@code Plan}, {@code RunState}). A
 * part is read, converted and written beside the output ({@code Conversion}), and then moved into
 * it ({@code DataFiles}). What is read is a {@code Source}; one run at a time holds the output
 * ({@code Lease}).
 */
@NullMarked
package dev.mintmark.spark.job;

import org.jspecify.annotations.NullMarked;
