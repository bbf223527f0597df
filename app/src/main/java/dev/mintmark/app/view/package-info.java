/** Identifiers, pools, plans and diagnoses as JSON, for the command line and the server. */
@NullMarked
package dev.mintmark.app.view;

import org.jspecify.annotations.NullMarked;
