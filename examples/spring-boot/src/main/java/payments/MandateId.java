package payments;

import dev.mintmark.InCollection;
import dev.mintmark.Ulid;

/** A ULID in the back office, {@code mandate_...} outside. */
@InCollection("mandates")
public record MandateId(Ulid value) {}
