/** What commands share: options, exit statuses, progress, output. */
@NullMarked
package dev.mintmark.app.cli.common;

import org.jspecify.annotations.NullMarked;
