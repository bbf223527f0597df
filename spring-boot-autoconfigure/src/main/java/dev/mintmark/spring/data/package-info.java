/** Pages and search for Spring Data. */
@NullMarked
package dev.mintmark.spring.data;

import org.jspecify.annotations.NullMarked;
