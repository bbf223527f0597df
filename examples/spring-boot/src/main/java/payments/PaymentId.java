package payments;

import dev.mintmark.InCollection;

/** {@code PM000123} in the back office, {@code pay_...} outside. */
@InCollection("payments")
public record PaymentId(long value) {}
