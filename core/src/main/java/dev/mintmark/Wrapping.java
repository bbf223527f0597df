package dev.mintmark;

import java.util.UUID;

/** Maps the type of a collection to a record with one component. */
final class Wrapping {
  private Wrapping() {}

  static <W> IdType<W> of(Class<W> javaType, CollectionSpec collection) {
    return of(
        SingleRecord.of(javaType), collection.kind().type(KindRow.Text.of(collection)), collection);
  }

  private static <S, W> IdType<W> of(
      SingleRecord<W> wrapper, KindType<S> kind, CollectionSpec collection) {
    IdType<S> type =
        IdType.declared(collection.storage() == kind.storage() ? kind : kind.asText(), collection);
    Class<?> component = wrapper.componentType();
    if (component == kind.javaType()) {
      return type.map(
          wrapper.type(), wrapper::wrap, id -> kind.javaType().cast(wrapper.unwrap(id)));
    }
    if (component == Long.class && kind.storage() == Kind.Storage.BIGINT) {
      return type.map(
          wrapper.type(),
          id -> wrapper.wrap(kind.toStored(id).toObject()),
          id -> kind.fromStored(new ColumnValue.Bigint((Long) wrapper.unwrap(id))));
    }
    if (component == UUID.class && kind.storage() == Kind.Storage.UUID) {
      return type.map(
          wrapper.type(),
          id -> wrapper.wrap(kind.toStored(id).toObject()),
          id -> kind.fromStored(new ColumnValue.Uuid((UUID) wrapper.unwrap(id))));
    }
    if (component == String.class) {
      return type.map(
          wrapper.type(),
          id -> wrapper.wrap(kind.format(id)),
          id -> kind.parse((String) wrapper.unwrap(id)));
    }
    throw SingleRecord.unfit(
        wrapper.type(),
        "its component is of %s: expected %s for collection %s of kind %s"
            .formatted(
                component.getName(),
                expected(kind),
                Quoted.of(collection.name()),
                collection.kind().label()));
  }

  private static String expected(KindType<?> kind) {
    String own = kind.javaType().getSimpleName();
    return switch (kind.storage()) {
      case BIGINT -> "long, " + own + " or String";
      case UUID -> kind.javaType() == UUID.class ? "UUID or String" : "UUID, " + own + " or String";
      case TEXT -> kind.javaType() == String.class ? own : own + " or String";
    };
  }
}
