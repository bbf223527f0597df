@NullMarked
package dev.mintmark.jdbi;

import org.jspecify.annotations.NullMarked;
