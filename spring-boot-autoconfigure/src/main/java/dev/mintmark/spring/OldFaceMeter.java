package dev.mintmark.spring;

import dev.mintmark.OldFaceListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The counter {@code mintmark.faces.retiring}: old faces that were read, with the tags {@code
 * collection}, {@code client} and {@code outcome} (accepted, rejected). The client is unknown
 * unless the application says who it is, so that requests cannot make meters without end.
 */
final class OldFaceMeter implements OldFaceListener {
  private static final String UNKNOWN = "unknown";

  private final Supplier<@Nullable MeterRegistry> registry;
  private final Supplier<@Nullable String> client;

  /**
   * @param registry is asked when the first is counted: masks may be made before it
   * @param client the name of the client of the current request, or null
   */
  OldFaceMeter(Supplier<@Nullable MeterRegistry> registry, Supplier<@Nullable String> client) {
    this.registry = registry;
    this.client = client;
  }

  @Override
  public void read(String collection, boolean accepted) {
    MeterRegistry known = registry.get();
    if (known == null) {
      return;
    }
    String name = client.get();
    Counter.builder("mintmark.faces.retiring")
        .description("Old faces of identifiers that clients sent")
        .tag("collection", collection)
        .tag("client", name == null || name.isBlank() ? UNKNOWN : name)
        .tag("outcome", accepted ? "accepted" : "rejected")
        .register(known)
        .increment();
  }
}
