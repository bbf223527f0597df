/** What a server runs in the background for people: the doctor, plans and runs of migrations. */
@NullMarked
package dev.mintmark.app.maintenance;

import org.jspecify.annotations.NullMarked;
