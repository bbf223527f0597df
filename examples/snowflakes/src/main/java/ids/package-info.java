/** An application that mints Snowflakes in several instances. */
@NullMarked
package ids;

import org.jspecify.annotations.NullMarked;
