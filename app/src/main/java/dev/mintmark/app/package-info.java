/** The {@code mintmark} program: command line, HTTP server and console. */
@NullMarked
package dev.mintmark.app;

import org.jspecify.annotations.NullMarked;
