package dev.mintmark;

import java.util.Optional;
import java.util.function.Function;

/** Identifiers whose text is a pURI: those of one collection, or whole pURIs in text. */
final class PuriType<T> extends IdType<T> {
  private final String name;

  /** The identifiers without namespace and collection. */
  private final IdType<?> identifiers;

  /** Whether the column holds the text of the pURI. */
  private final boolean isWhole;

  private final Class<T> javaType;
  private final Function<String, T> parse;
  private final Function<T, String> format;
  private final Function<T, ColumnValue> toStored;
  private final Function<ColumnValue, T> fromStored;

  PuriType(
      String name,
      IdType<?> identifiers,
      boolean isWhole,
      Class<T> javaType,
      Function<String, T> parse,
      Function<T, String> format,
      Function<T, ColumnValue> toStored,
      Function<ColumnValue, T> fromStored) {
    this.name = name;
    this.identifiers = identifiers;
    this.isWhole = isWhole;
    this.javaType = javaType;
    this.parse = parse;
    this.format = format;
    this.toStored = toStored;
    this.fromStored = fromStored;
  }

  /** Whole pURIs in text. */
  static IdType<Puri> whole(
      Function<String, Puri> parse, Function<Puri, Puri> resolve, boolean canonical) {
    PuriType<Puri> any =
        new PuriType<>(
            "pURI",
            IdType.texts(),
            true,
            Puri.class,
            parse,
            puri -> resolve.apply(puri).toString(),
            puri -> new ColumnValue.Text(resolve.apply(puri).toString()),
            stored -> parse.apply(stored.toString()));
    return canonical ? new TextType<>(any) : any;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Kind kind() {
    return identifiers.kind();
  }

  @Override
  public Kind.Storage storage() {
    return identifiers.storage();
  }

  @Override
  public Class<T> javaType() {
    return javaType;
  }

  @Override
  public T parse(String text) {
    return parse.apply(text);
  }

  @Override
  public T parseLoosely(String text) {
    return parse.apply(text.strip());
  }

  @Override
  public String format(T id) {
    return format.apply(id);
  }

  @Override
  public ColumnValue toStored(T id) {
    return toStored.apply(id);
  }

  @Override
  public T fromStored(ColumnValue stored) {
    return fromStored.apply(stored);
  }

  @Override
  public IdType<T> asText() {
    return isWhole ? this : super.asText();
  }

  @Override
  Optional<CollectionSpec> declaredBy() {
    return identifiers.declaredBy();
  }

  @Override
  KindType<?> kindType() {
    return identifiers.kindType();
  }

  @Override
  Mint<T> mint(MintSource source) {
    return new MappedMint<>(storedMint(identifiers, source), fromStored);
  }

  private static <S> Mint<ColumnValue> storedMint(IdType<S> type, MintSource source) {
    return new MappedMint<>(type.mint(source), type::toStored);
  }
}
