/**
 * The job that adds readable columns after uuid columns.
 *
 * <p>The first run divides the input ({@code Source}) into parts and stores the plan ({@code Plan},
 * {@code RunState}). A part is read, converted and written to a staging directory ({@code
 * PartConversion}), and then moved to the output ({@code DataFiles}). Only one run at a time works
 * on an output ({@code Lease}).
 */
@NullMarked
package dev.mintmark.spark.job;

import org.jspecify.annotations.NullMarked;
