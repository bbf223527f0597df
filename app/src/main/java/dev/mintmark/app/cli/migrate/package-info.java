/** {@code mintmark migrate}: commands for online migrations of keys. */
@NullMarked
package dev.mintmark.app.cli.migrate;

import org.jspecify.annotations.NullMarked;
