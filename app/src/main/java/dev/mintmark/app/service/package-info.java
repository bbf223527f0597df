/** Operations that the command line and the server share. */
@NullMarked
package dev.mintmark.app.service;

import org.jspecify.annotations.NullMarked;
