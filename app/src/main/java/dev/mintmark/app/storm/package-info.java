/** {@code mintmark storm}: many clients race for few addresses, beside rivals. */
@NullMarked
package dev.mintmark.app.storm;

import org.jspecify.annotations.NullMarked;
