/** {@code mintmark migrate}: commands about migrations of keys. */
@NullMarked
package dev.mintmark.app.cli.migrate;

import org.jspecify.annotations.NullMarked;
