/** The commands of the program, and the root command that creates them. */
@NullMarked
package dev.mintmark.app.cli;

import org.jspecify.annotations.NullMarked;
