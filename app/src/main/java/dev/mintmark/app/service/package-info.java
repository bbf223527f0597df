/** What the command line and the server do alike. */
@NullMarked
package dev.mintmark.app.service;

import org.jspecify.annotations.NullMarked;
