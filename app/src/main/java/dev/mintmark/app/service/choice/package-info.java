/** Which identifier fits a table: questions, their answers, and the recommendation that follows. */
@NullMarked
package dev.mintmark.app.service.choice;

import org.jspecify.annotations.NullMarked;
