/** {@code mintmark pool}: commands for pools. */
@NullMarked
package dev.mintmark.app.cli.pool;

import org.jspecify.annotations.NullMarked;
