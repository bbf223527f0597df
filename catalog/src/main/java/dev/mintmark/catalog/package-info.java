/** Reads {@code mintmark.yaml} into the {@linkplain dev.mintmark.Catalog model}. */
@NullMarked
package dev.mintmark.catalog;

import org.jspecify.annotations.NullMarked;
