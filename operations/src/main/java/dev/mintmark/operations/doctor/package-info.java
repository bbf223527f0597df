/**
 * The doctor: reads a database and says what is wrong with its identifiers, and what will be.
 *
 * <p>{@link dev.mintmark.operations.doctor.Doctor} is where to begin.
 */
@NullMarked
package dev.mintmark.operations.doctor;

import org.jspecify.annotations.NullMarked;
