@NullMarked
package dev.mintmark.jooq;

import org.jspecify.annotations.NullMarked;
