package dev.mintmark.app.service;

import dev.mintmark.Form;
import dev.mintmark.Kind;
import dev.mintmark.Spelling;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What {@code mint} makes: the kinds that a collection can declare, and the other versions of
 * UUIDs.
 */
public sealed interface MintedKind permits MintedKind.OfColumn, UuidVersion {
  /** What a mint of a kind can be asked for. */
  enum Setting {
    ORDER,
    NODE,
    PREFIX,
    NAMESPACE,
    NAME;

    /** Its name in requests, and that of its option: {@code order}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A kind that a collection can declare. */
  record OfColumn(Kind kind) implements MintedKind {
    @Override
    public String label() {
      return kind.label();
    }

    @Override
    public List<Setting> required() {
      return Stream.of(
              Optional.of(Setting.NODE).filter(node -> kind.has(Kind.Option.NODE)),
              Optional.of(Setting.PREFIX).filter(prefix -> kind.has(Kind.Option.PREFIX)))
          .flatMap(Optional::stream)
          .toList();
    }

    @Override
    public List<Setting> optional() {
      return kind.has(Kind.Option.ORDER) ? List.of(Setting.ORDER) : List.of();
    }

    @Override
    public Supplier<String> source(
        ProcessMints mints, MintRequest.Settings settings, Optional<Form> form) {
      return MintRequest.of(kind).with(settings).source(mints.cache(), form);
    }
  }

  /** The name by which commands and requests call this kind: {@code uuidv7}. */
  String label();

  /** The settings without which it is not minted. */
  List<Setting> required();

  /** The settings that it has, and that have a default. */
  List<Setting> optional();

  /**
   * Returns what mints the next id, and writes it, each time it is called.
   *
   * @param form how ids are written; empty for the text of their kind
   * @throws IllegalArgumentException if a required setting is missing, or the kind has no such
   *     setting or form
   */
  Supplier<String> source(ProcessMints mints, MintRequest.Settings settings, Optional<Form> form);

  /** Returns all kinds that are minted. */
  static List<MintedKind> all() {
    return Stream.<MintedKind>concat(
            Arrays.stream(Kind.values()).filter(Kind::isMinted).map(OfColumn::new),
            Arrays.stream(UuidVersion.values()))
        .toList();
  }

  /**
   * Returns the kind called {@code label}, in either letter case. It may be one that a database or
   * another system makes: its source fails, and says so.
   *
   * @throws IllegalArgumentException if there is none; the message lists those that are minted
   */
  static MintedKind parse(String label) {
    String lower = label.toLowerCase(Locale.ROOT);
    return all().stream()
        .filter(kind -> kind.label().equals(lower))
        .findFirst()
        .or(() -> Kind.tryParse(lower).map(OfColumn::new))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    Spelling.unknown(
                        "kind", label, all().stream().map(MintedKind::label).toList())));
  }
}
