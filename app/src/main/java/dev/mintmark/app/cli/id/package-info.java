/** Commands about identifiers: {@code mint}, {@code inspect}, {@code compare}, {@code convert}. */
@NullMarked
package dev.mintmark.app.cli.id;

import org.jspecify.annotations.NullMarked;
