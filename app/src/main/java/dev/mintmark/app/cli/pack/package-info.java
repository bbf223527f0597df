/** {@code mintmark pack bench}. */
@NullMarked
package dev.mintmark.app.cli.pack;

import org.jspecify.annotations.NullMarked;
