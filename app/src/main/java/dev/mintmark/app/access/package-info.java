/** Who may use the server, and who changed what: API keys, their scopes, and the audit. */
@NullMarked
package dev.mintmark.app.access;

import org.jspecify.annotations.NullMarked;
