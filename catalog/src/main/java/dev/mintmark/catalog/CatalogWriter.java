package dev.mintmark.catalog;

import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.DurationText;
import dev.mintmark.FaceChange;
import dev.mintmark.FormatSpec;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.Kind;
import dev.mintmark.MintDeclaration;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.NumberRange;
import dev.mintmark.NumberRuns;
import dev.mintmark.PoolSpec;
import dev.mintmark.ValueList;
import dev.mintmark.catalog.YamlText.Entry;
import dev.mintmark.catalog.YamlText.Items;
import dev.mintmark.catalog.YamlText.Mapping;
import dev.mintmark.catalog.YamlText.Scalar;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes a catalog as {@code mintmark.yaml}, with comments for the people who maintain it. {@link
 * CatalogReader} reads an equal catalog from the result.
 *
 * <p>A value that equals its default is omitted, except the column of a table. A list is written as
 * the names of its files, without its values, and a pool with a source without the blocks that it
 * has at present. A catalog of more than 1 MiB, a list of more than 1,024 names and times outside
 * the years 0 to 9999 are written, but the reader rejects them.
 *
 * <p>Not safe for use by several threads.
 *
 * <pre>{@code
 * new CatalogWriter()
 *     .heading("Drafted from the database shop")
 *     .comment("meats", "10 rows")
 *     .write(catalog);
 * }</pre>
 */
public final class CatalogWriter {
  private final List<String> heading = new ArrayList<>();
  private final Map<String, List<String>> comments = new HashMap<>();

  /** Creates a writer without comments. */
  public CatalogWriter() {}

  /** Adds lines to the comment at the top of the file. */
  public CatalogWriter heading(String... lines) {
    heading.addAll(List.of(lines));
    return this;
  }

  /**
   * Adds lines to the comment above one of our collections.
   *
   * @param collection its name; the comment is omitted if there is no collection of that name
   */
  public CatalogWriter comment(String collection, String... lines) {
    comments.computeIfAbsent(collection, name -> new ArrayList<>()).addAll(List.of(lines));
    return this;
  }

  /** Returns the text of the file. Its first line names the file of the schema, for editors. */
  public String write(Catalog catalog) {
    StringBuilder out = new StringBuilder();
    out.append("# yaml-language-server: $schema=").append(CatalogSchema.FILE_NAME).append('\n');
    YamlText.comment(out, "", heading);
    out.append('\n');
    List<Entry> head = new ArrayList<>();
    head.add(new Entry("namespace", Scalar.text(catalog.namespace())));
    catalog.own().code().ifPresent(code -> head.add(new Entry("code", Scalar.text(code))));
    new Mapping(head).write(out, "");
    section(
        out,
        "collections",
        catalog.collections(),
        spec ->
            new Entry(
                spec.name(), collection(spec), comments.getOrDefault(spec.name(), List.of())));
    section(
        out,
        "namespaces",
        catalog.others(),
        spec -> new Entry(spec.name(), new Mapping(namespace(spec))));
    section(out, "databases", catalog.databases(), name -> new Entry(name, new Mapping(List.of())));
    section(out, "pools", catalog.pools(), spec -> new Entry(spec.name(), pool(spec)));
    section(
        out,
        "references",
        catalog.references(),
        spec ->
            new Entry(
                spec.column().toString(),
                spec.types().isEmpty() ? new Scalar("any") : texts(spec.types())));
    section(out, "formats", catalog.formats(), spec -> new Entry(spec.name(), format(spec)));
    return out.toString();
  }

  private static <T> void section(
      StringBuilder out, String key, List<T> specs, Function<T, Entry> entry) {
    if (!specs.isEmpty()) {
      out.append('\n').append(key).append(":\n");
      new Mapping(specs.stream().map(entry).toList()).write(out, "  ");
    }
  }

  private static List<Entry> namespace(NamespaceSpec spec) {
    List<Entry> keys = new ArrayList<>();
    spec.code().ifPresent(code -> keys.add(new Entry("code", Scalar.text(code))));
    if (!spec.collections().isEmpty()) {
      keys.add(
          new Entry(
              "collections",
              new Mapping(
                  spec.collections().stream()
                      .map(collection -> new Entry(collection.name(), collection(collection)))
                      .toList())));
    }
    return keys;
  }

  private static Mapping collection(CollectionSpec spec) {
    List<Entry> keys = new ArrayList<>();
    keys.add(new Entry("kind", new Scalar(spec.kind().label())));
    spec.prefix().ifPresent(prefix -> keys.add(new Entry("prefix", Scalar.text(prefix))));
    if (spec.width() != 0) {
      keys.add(new Entry("width", number(spec.width())));
    }
    if (spec.kind().has(Kind.Option.CASE) && spec.caseSensitive()) {
      keys.add(new Entry("case", new Scalar("sensitive")));
    }
    spec.code().ifPresent(code -> keys.add(new Entry("code", Scalar.text(code))));
    if (spec.table().isPresent()) {
      keys.add(new Entry("table", Scalar.text(spec.table().get())));
      keys.add(new Entry("column", Scalar.text(spec.column())));
    }
    if (spec.storage() != spec.kind().storage() || spec.narrow()) {
      keys.add(new Entry("storage", new Scalar(spec.storageLabel())));
    }
    spec.created().ifPresent(created -> keys.add(new Entry("created", Scalar.text(created))));
    keys.addAll(mint(spec.mint()));
    if (!spec.referencedBy().isEmpty()) {
      keys.add(new Entry("referenced-by", texts(spec.referencedBy())));
    }
    if (!spec.aliases().isEmpty()) {
      keys.add(new Entry("aliases", texts(spec.aliases())));
    }
    spec.face()
        .ifPresent(
            face ->
                keys.add(
                    spec.faceChange()
                        .map(change -> new Entry("faces", faces(change, face)))
                        .orElseGet(() -> new Entry("face", new Mapping(face(face))))));
    if (!spec.findColumns().isEmpty()) {
      keys.add(
          new Entry("find", new Mapping(List.of(new Entry("columns", texts(spec.findColumns()))))));
    }
    return new Mapping(keys);
  }

  private static List<Entry> mint(MintDeclaration mint) {
    List<Entry> keys = new ArrayList<>();
    mint.place().ifPresent(place -> keys.add(new Entry("mint", new Scalar(place.label()))));
    mint.order().ifPresent(order -> keys.add(new Entry("order", new Scalar(order.label()))));
    mint.oldRows().ifPresent(rows -> keys.add(new Entry("old-rows", new Scalar(rows.label()))));
    return keys;
  }

  private static List<Entry> face(CollectionSpec.Face face) {
    List<Entry> keys = new ArrayList<>();
    if (!face.mask().isEmpty()) {
      keys.add(new Entry("mask", Scalar.text(face.mask())));
    }
    keys.add(new Entry("key-label", Scalar.text(face.keyLabel())));
    if (face.shape() != CollectionSpec.Face.Shape.LONG) {
      keys.add(new Entry("shape", Scalar.text(face.shape().label())));
    }
    return keys;
  }

  /** The old face and the new one. */
  private static Items faces(FaceChange change, CollectionSpec.Face face) {
    List<Entry> old = new ArrayList<>();
    switch (change.old()) {
      case TEXT -> old.add(new Entry("form", new Scalar("text")));
      case NUMBER -> old.add(new Entry("form", new Scalar("number")));
      case MASK -> old.addAll(face(change.mask().orElseThrow()));
    }
    old.add(new Entry("until", Scalar.text(change.until().toString())));
    List<Entry> next = new ArrayList<>(face(face));
    next.add(new Entry("suffix", Scalar.text(change.suffix())));
    return new Items(List.of(new Mapping(old), new Mapping(next)));
  }

  private static Mapping pool(PoolSpec spec) {
    PoolSpec usual =
        spec.source()
            .map(source -> PoolSpec.of(spec.name(), source))
            .orElseGet(() -> PoolSpec.of(spec.name(), spec.blocks()));
    List<Entry> keys = new ArrayList<>();
    spec.source()
        .ifPresentOrElse(
            source -> {
              keys.add(new Entry("blocks-from", Scalar.text(source.pool())));
              keys.add(new Entry("keep-free", number(source.keepFree())));
            },
            () -> keys.add(values(spec.blocks())));
    if (!spec.exclude().isEmpty()) {
      keys.add(new Entry("exclude", blocks(spec.exclude())));
    }
    if (spec.order() != usual.order()) {
      keys.add(new Entry("order", label(spec.order())));
    }
    if (spec.perClient() != usual.perClient()) {
      keys.add(new Entry("per-client", number(spec.perClient())));
    }
    spec.perOwner().ifPresent(quota -> keys.add(new Entry("per-owner", number(quota))));
    if (spec.sticky() != usual.sticky()) {
      keys.add(new Entry("sticky", new Scalar(Boolean.toString(spec.sticky()))));
    }
    if (!spec.lease().equals(usual.lease())) {
      keys.add(new Entry("lease", durationOrNone(spec.lease())));
    }
    if (!spec.quarantine().equals(usual.quarantine())) {
      keys.add(new Entry("quarantine", duration(spec.quarantine())));
    }
    if (!spec.history().equals(usual.history())) {
      keys.add(new Entry("history", durationOrNone(spec.history())));
    }
    spec.ipv6().ifPresent(ipv6 -> keys.add(new Entry("ipv6", ipv6(ipv6))));
    spec.afterFailover()
        .ifPresent(conduct -> keys.add(new Entry("after-failover", new Scalar(conduct.label()))));
    if (!spec.thresholds().equals(PoolSpec.THRESHOLDS_DEFAULT)) {
      keys.add(
          new Entry(
              "thresholds",
              new Items(spec.thresholds().stream().map(CatalogWriter::number).toList())));
    }
    spec.database().ifPresent(name -> keys.add(new Entry("database", Scalar.text(name))));
    return new Mapping(keys);
  }

  private static Entry values(List<Block> blocks) {
    if (blocks.get(0) instanceof ValueList) {
      return new Entry("list", blocks(blocks));
    }
    boolean range =
        blocks.size() == 1
            && (blocks.get(0) instanceof NumberRange || blocks.get(0) instanceof NumberRuns);
    return range ? new Entry("range", block(blocks.get(0))) : new Entry("blocks", blocks(blocks));
  }

  private static Mapping ipv6(Ipv6Embedding ipv6) {
    return new Mapping(
        List.of(
            new Entry("prefix", block(ipv6.prefix())), new Entry("embed", label(ipv6.source()))));
  }

  private static Items blocks(List<Block> blocks) {
    return new Items(blocks.stream().map(CatalogWriter::block).toList());
  }

  /** Quotes lists and IPv6 blocks: YAML may read a colon of an IPv6 address as its own syntax. */
  private static Scalar block(Block block) {
    boolean plain = !(block instanceof ValueList) && block.toString().indexOf(':') < 0;
    return plain ? new Scalar(block.toString()) : Scalar.text(block.toString());
  }

  private static Scalar durationOrNone(Optional<Duration> length) {
    return length.map(CatalogWriter::duration).orElse(new Scalar("none"));
  }

  private static Scalar duration(Duration length) {
    boolean whole = length.truncatedTo(ChronoUnit.MILLIS).equals(length);
    return new Scalar(whole ? DurationText.format(length) : length.toString());
  }

  private static Mapping format(FormatSpec spec) {
    return spec.content() instanceof FormatSpec.Shape shape
        ? new Mapping(List.of(new Entry("text", Scalar.text(shape.pattern()))))
        : format((FormatSpec.Bits) spec.content());
  }

  private static Mapping format(FormatSpec.Bits bits) {
    Optional<Mapping> snowflake = snowflake(bits);
    List<Entry> keys = new ArrayList<>();
    snowflake.ifPresent(parts -> keys.add(new Entry("snowflake", parts)));
    if (snowflake.isEmpty()) {
      keys.add(
          new Entry(
              "fields", new Items(bits.fields().stream().map(CatalogWriter::field).toList())));
      bits.time().ifPresent(time -> keys.add(new Entry("epoch", instant(time.epoch()))));
    }
    bits.time()
        .ifPresent(
            time -> {
              if (!time.since().equals(time.epoch())) {
                keys.add(new Entry("since", instant(time.since())));
              }
              time.until().ifPresent(until -> keys.add(new Entry("until", instant(until))));
            });
    if (snowflake.isEmpty() || bits.notation() != FormatSpec.DigitNotation.DECIMAL) {
      keys.add(new Entry("notation", new Scalar(bits.notation().label())));
    }
    if (!bits.prefix().isEmpty()) {
      keys.add(new Entry("prefix", Scalar.text(bits.prefix())));
    }
    bits.length().ifPresent(length -> keys.add(new Entry("length", number(length))));
    return new Mapping(keys);
  }

  /** The parts of a Snowflake, if the fields are those of one. */
  private static Optional<Mapping> snowflake(FormatSpec.Bits bits) {
    if (bits.time().isEmpty() || bits.fields().size() != 4) {
      return Optional.empty();
    }
    Instant epoch = bits.time().get().epoch();
    int nodeBits = bits.fields().get(2).bits();
    int sequenceBits = bits.fields().get(3).bits();
    if (nodeBits + sequenceBits >= Integer.SIZE
        || !FormatSpec.Bits.snowflake(epoch, nodeBits, sequenceBits)
            .fields()
            .equals(bits.fields())) {
      return Optional.empty();
    }
    return Optional.of(
        new Mapping(
            List.of(
                new Entry("epoch", instant(epoch)),
                new Entry("node-bits", number(nodeBits)),
                new Entry("sequence-bits", number(sequenceBits)))));
  }

  private static Mapping field(FormatSpec.Field field) {
    List<Entry> keys = new ArrayList<>();
    keys.add(new Entry("name", Scalar.text(field.name())));
    keys.add(new Entry("bits", number(field.bits())));
    field.unit().ifPresent(unit -> keys.add(new Entry("unit", new Scalar(unit.toString()))));
    field.value().ifPresent(value -> keys.add(new Entry("value", new Scalar(value.toString()))));
    if (field.type() != FormatSpec.Type.NUMBER) {
      keys.add(new Entry("type", new Scalar(field.type().label())));
    }
    return new Mapping(keys);
  }

  private static Scalar instant(Instant time) {
    return Scalar.text(time.toString());
  }

  private static Items texts(List<?> values) {
    return new Items(values.stream().map(value -> Scalar.text(value.toString())).toList());
  }

  private static Scalar number(long number) {
    return new Scalar(Long.toString(number));
  }

  private static Scalar label(Enum<?> value) {
    return new Scalar(value.name().toLowerCase(Locale.ROOT));
  }
}
