/** {@code mintmark storm}: many clients claim few addresses at once, compared with rivals. */
@NullMarked
package dev.mintmark.app.storm;

import org.jspecify.annotations.NullMarked;
