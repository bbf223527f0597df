/** Options, exit statuses, progress and output that commands share. */
@NullMarked
package dev.mintmark.app.cli.common;

import org.jspecify.annotations.NullMarked;
