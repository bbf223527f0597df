/** An application that uses Mintmark over plain JDBC. */
@NullMarked
package shop;

import org.jspecify.annotations.NullMarked;
