/** What Spark's generated code calls: public for that, and for nobody else. */
@NullMarked
package dev.mintmark.spark.internal;

import org.jspecify.annotations.NullMarked;
