/** Identifiers as types of Hibernate, and generators for them. */
@NullMarked
package dev.mintmark.hibernate;

import org.jspecify.annotations.NullMarked;
