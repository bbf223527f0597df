@NullMarked
package addresses;

import org.jspecify.annotations.NullMarked;
