/** The functions for analysts as native expressions of Spark, and a job that uses them. */
@NullMarked
package dev.mintmark.spark;

import org.jspecify.annotations.NullMarked;
