package dev.mintmark;

import java.util.Optional;
import java.util.function.Function;

/** The identifiers of another type as another class. */
final class MappedType<S, T> extends IdType<T> {
  private final IdType<S> type;
  private final Class<T> javaType;
  private final Function<? super S, ? extends T> to;
  private final Function<? super T, ? extends S> from;
  private final Optional<CollectionSpec> declaredBy;

  MappedType(
      IdType<S> type,
      Class<T> javaType,
      Function<? super S, ? extends T> to,
      Function<? super T, ? extends S> from) {
    this(type, javaType, to, from, type.declaredBy());
  }

  private MappedType(
      IdType<S> type,
      Class<T> javaType,
      Function<? super S, ? extends T> to,
      Function<? super T, ? extends S> from,
      Optional<CollectionSpec> declaredBy) {
    this.type = type;
    this.javaType = javaType;
    this.to = to;
    this.from = from;
    this.declaredBy = declaredBy;
  }

  /** The same identifiers, minted as a collection declares. */
  static <T> MappedType<T, T> declaredBy(CollectionSpec collection, IdType<T> type) {
    return new MappedType<>(type, type.javaType(), id -> id, id -> id, Optional.of(collection));
  }

  @Override
  public String name() {
    return type.name();
  }

  @Override
  public Kind kind() {
    return type.kind();
  }

  @Override
  public Kind.Storage storage() {
    return type.storage();
  }

  @Override
  public Class<T> javaType() {
    return javaType;
  }

  @Override
  public T parse(String text) {
    return to.apply(type.parse(text));
  }

  @Override
  public T parseLoosely(String text) {
    return to.apply(type.parseLoosely(text));
  }

  @Override
  public String format(T id) {
    return type.format(from.apply(id));
  }

  @Override
  public ColumnValue toStored(T id) {
    return type.toStored(from.apply(id));
  }

  @Override
  public T fromStored(ColumnValue stored) {
    return to.apply(type.fromStored(stored));
  }

  @Override
  public IdType<T> asText() {
    return new MappedType<>(type.asText(), javaType, to, from, declaredBy);
  }

  @Override
  public Optional<Transcoder> transcoder(Optional<Form> from) {
    return type.transcoder(from);
  }

  @Override
  public String textPrefix() {
    return type.textPrefix();
  }

  @Override
  Optional<CollectionSpec> declaredBy() {
    return declaredBy;
  }

  @Override
  KindType<?> kindType() {
    return type.kindType();
  }

  @Override
  Mint<T> mint(MintSource source) {
    return new MappedMint<>(type.mint(source), to);
  }
}
