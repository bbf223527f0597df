package dev.mintmark.app.view;

import dev.mintmark.Order;
import dev.mintmark.app.service.MintRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request to mint identifiers of a kind, or for a collection of the catalog, as JSON. */
public record MintRequestJson(
    @Nullable String kind,
    @Nullable String collection,
    @Nullable Integer count,
    @Nullable String order,
    @Nullable Integer node,
    @Nullable String prefix,
    @Nullable String namespace,
    @Nullable String name) {
  /**
   * Returns the settings of the mint.
   *
   * @throws IllegalArgumentException if the order is unknown
   */
  public MintRequest.Settings toSettings() {
    return new MintRequest.Settings(
        Optional.ofNullable(order).map(Order::parse),
        Optional.ofNullable(node),
        Optional.ofNullable(prefix),
        Optional.ofNullable(namespace),
        Optional.ofNullable(name));
  }
}
