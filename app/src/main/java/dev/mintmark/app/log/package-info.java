/** The log of the program: its lines, and limits on repeated ones. */
@NullMarked
package dev.mintmark.app.log;

import org.jspecify.annotations.NullMarked;
