package dev.mintmark.app.service;

import dev.mintmark.Form;
import dev.mintmark.IdReader;
import dev.mintmark.Quoted;
import dev.mintmark.Uuids;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The versions of UUIDs that no collection declares: minted for systems that require them, for
 * tests and for comparison. A new table takes a {@link dev.mintmark.Kind}.
 */
public enum UuidVersion implements MintedKind {
  /** Time, lowest bits first, and a random node (RFC 9562 section 5.1). */
  UUIDV1 {
    @Override
    Supplier<UUID> uuids(ProcessMints mints, MintRequest.Settings settings) {
      return () -> Uuids.mintV1(mints.clock(), mints.entropy());
    }
  },
  /** The MD5 of a name (RFC 9562 section 5.3). */
  UUIDV3 {
    @Override
    Supplier<UUID> uuids(ProcessMints mints, MintRequest.Settings settings) {
      UUID uuid = Uuids.mintV3(namespace(settings), name(settings));
      return () -> uuid;
    }
  },
  /** The SHA-1 of a name (RFC 9562 section 5.5). */
  UUIDV5 {
    @Override
    Supplier<UUID> uuids(ProcessMints mints, MintRequest.Settings settings) {
      UUID uuid = Uuids.mintV5(namespace(settings), name(settings));
      return () -> uuid;
    }
  },
  /** Time and a random node (RFC 9562 section 5.6). */
  UUIDV6 {
    @Override
    Supplier<UUID> uuids(ProcessMints mints, MintRequest.Settings settings) {
      return () -> Uuids.mintV6(mints.clock(), mints.entropy());
    }
  },
  /** Bits that the generator chooses (RFC 9562 section 5.8): random ones here. */
  UUIDV8 {
    @Override
    Supplier<UUID> uuids(ProcessMints mints, MintRequest.Settings settings) {
      return () ->
          Uuids.mintV8(
              mints.entropy().nextLong() >>> 16,
              mints.entropy().nextInt() >>> 20,
              mints.entropy().nextLong() >>> 2);
    }
  },
  /** Seconds, milliseconds, a counter and random bits: the draft of 2021. */
  UUIDV7_DRAFT {
    @Override
    Supplier<UUID> uuids(ProcessMints mints, MintRequest.Settings settings) {
      return mints.draft()::mint;
    }
  };

  /** The most characters of a name. */
  public static final int NAME_LENGTH_MAX = 1024;

  private static final Map<String, UUID> NAMESPACES =
      Map.of(
          "dns", Uuids.NAMESPACE_DNS,
          "url", Uuids.NAMESPACE_URL,
          "oid", Uuids.NAMESPACE_OID,
          "x500", Uuids.NAMESPACE_X500);

  abstract Supplier<UUID> uuids(ProcessMints mints, MintRequest.Settings settings);

  @Override
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public List<Setting> required() {
    return isOfName() ? List.of(Setting.NAMESPACE, Setting.NAME) : List.of();
  }

  @Override
  public List<Setting> optional() {
    return List.of();
  }

  @Override
  public Supplier<String> source(
      ProcessMints mints, MintRequest.Settings settings, Optional<Form> form) {
    checkAbsent(Setting.ORDER, settings.order());
    checkAbsent(Setting.NODE, settings.node());
    checkAbsent(Setting.PREFIX, settings.prefix());
    if (!isOfName()) {
      settings.checkNoName(label());
    }
    Supplier<UUID> uuids = uuids(mints, settings);
    if (form.isEmpty()) {
      return () -> uuids.get().toString();
    }
    if (form.get().isOfCollection()) {
      throw new IllegalArgumentException(
          "kind %s has no form %s: it is one of a collection"
              .formatted(label(), Quoted.of(form.get().label())));
    }
    IdReader reader = IdReader.parse(label());
    return () -> reader.write(uuids.get().toString(), form.get());
  }

  private boolean isOfName() {
    return this == UUIDV3 || this == UUIDV5;
  }

  private void checkAbsent(Setting setting, Optional<?> value) {
    if (value.isPresent()) {
      throw new IllegalArgumentException(
          "kind %s is minted without %s".formatted(label(), setting.label()));
    }
  }

  UUID namespace(MintRequest.Settings settings) {
    String namespace = required(Setting.NAMESPACE, settings.namespace());
    UUID named = NAMESPACES.get(namespace.toLowerCase(Locale.ROOT));
    return Optional.ofNullable(named)
        .or(() -> Uuids.tryParse(namespace))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "namespace is %s: expected dns, url, oid, x500 or a UUID"
                        .formatted(Quoted.of(namespace))));
  }

  String name(MintRequest.Settings settings) {
    String name = required(Setting.NAME, settings.name());
    if (name.length() > NAME_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "name has %,d characters: expected at most %,d"
              .formatted(name.length(), NAME_LENGTH_MAX));
    }
    return name;
  }

  private String required(Setting setting, Optional<String> value) {
    return value.orElseThrow(
        () ->
            new IllegalArgumentException(
                "kind %s needs a %s: %s"
                    .formatted(
                        label(),
                        setting.label(),
                        setting == Setting.NAME
                            ? "the text that it identifies, such as example.org"
                            : "dns, url, oid, x500 or a UUID")));
  }
}
