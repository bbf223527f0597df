/** The HTTP server: controllers, problems, filters. */
@NullMarked
package dev.mintmark.app.http;

import org.jspecify.annotations.NullMarked;
