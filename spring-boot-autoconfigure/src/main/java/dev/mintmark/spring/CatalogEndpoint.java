package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.PoolSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** The actuator endpoint {@code mintmark}: what the catalog declares. */
@Endpoint(id = "mintmark")
final class CatalogEndpoint {
  private final Catalog catalog;

  CatalogEndpoint(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Returns the namespace, its collections and the names of the pools. */
  @ReadOperation
  Map<String, Object> catalog() {
    Map<String, Object> collections = new LinkedHashMap<>();
    catalog.collections().forEach(each -> collections.put(each.name(), collection(each)));
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("namespace", catalog.namespace());
    shown.put("collections", collections);
    shown.put("pools", List.copyOf(catalog.pools().stream().map(PoolSpec::name).toList()));
    return shown;
  }

  private static Map<String, Object> collection(CollectionSpec collection) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("kind", collection.kind().label());
    shown.put("storage", collection.storageLabel());
    collection.table().ifPresent(table -> shown.put("table", table));
    collection
        .face()
        .map(CollectionSpec.Face::mask)
        .filter(mask -> !mask.isEmpty())
        .ifPresent(mask -> shown.put("mask", mask));
    collection
        .faceChange()
        .ifPresent(change -> shown.put("oldFaceUntil", change.until().toString()));
    return shown;
  }
}
