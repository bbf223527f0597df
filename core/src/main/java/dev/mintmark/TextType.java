package dev.mintmark;

import java.util.Optional;

/** The identifiers of another type in a column of text, which holds their canonical text. */
final class TextType<T> extends IdType<T> {
  private final IdType<T> type;

  TextType(IdType<T> type) {
    this.type = type;
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
    return Kind.Storage.TEXT;
  }

  @Override
  public Class<T> javaType() {
    return type.javaType();
  }

  @Override
  public T parse(String text) {
    return type.parse(text);
  }

  @Override
  public T parseLoosely(String text) {
    return type.parseLoosely(text);
  }

  @Override
  public String format(T id) {
    return type.format(id);
  }

  @Override
  public ColumnValue toStored(T id) {
    return new ColumnValue.Text(type.format(id));
  }

  @Override
  public T fromStored(ColumnValue stored) {
    return canonical(this, stored);
  }

  @Override
  public IdType<T> asText() {
    return this;
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
    return type.declaredBy();
  }

  @Override
  KindType<?> kindType() {
    return type.kindType();
  }

  @Override
  Mint<T> mint(MintSource source) {
    return type.mint(source);
  }

  /**
   * Reads the canonical text alone: a look-up would not find another text.
   *
   * @throws MalformedIdException if it is another text, or none
   */
  static <T> T canonical(IdType<T> type, ColumnValue stored) {
    if (!(stored instanceof ColumnValue.Text)) {
      throw new IllegalArgumentException(
          "%s is kept as text: found %s of %s"
              .formatted(type.name(), Quoted.of(stored.toString()), stored.storage().label()));
    }
    String text = stored.toString();
    T id = type.parse(text);
    String canonical = type.format(id);
    if (!canonical.equals(text)) {
      throw new MalformedIdException(
          "malformed %s %s: its canonical text is %s"
              .formatted(type.name(), Quoted.of(text), Quoted.of(canonical)));
    }
    return id;
  }
}
