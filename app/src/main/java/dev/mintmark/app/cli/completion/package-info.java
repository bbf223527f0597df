/** The command that prints completion scripts for shells. */
@NullMarked
package dev.mintmark.app.cli.completion;

import org.jspecify.annotations.NullMarked;
