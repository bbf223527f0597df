/** The commands of the program, and the root that finds them. */
@NullMarked
package dev.mintmark.app.cli;

import org.jspecify.annotations.NullMarked;
