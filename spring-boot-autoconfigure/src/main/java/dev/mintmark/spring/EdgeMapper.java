package dev.mintmark.spring;

import dev.mintmark.Masks;
import dev.mintmark.jackson.MintmarkModule;
import tools.jackson.databind.json.JsonMapper;

/** The mapper of controllers: a copy, because caches, queues and databases have the other. */
final class EdgeMapper {
  private EdgeMapper() {}

  /** Returns a copy of the mapper of the application, with faces. */
  static JsonMapper of(JsonMapper mapper, Masks masks, DeclaredIdTypes types) {
    return mapper.rebuild().addModule(MintmarkModule.withFaces(masks, types.beans())).build();
  }
}
