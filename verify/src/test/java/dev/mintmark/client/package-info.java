/** What tests of the whole program need of the inside of the client. */
@NullMarked
package dev.mintmark.client;

import org.jspecify.annotations.NullMarked;
