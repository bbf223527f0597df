/** {@code mintmark pool}: commands about pools. */
@NullMarked
package dev.mintmark.app.cli.pool;

import org.jspecify.annotations.NullMarked;
