package dev.mintmark.app.transfer;

import dev.mintmark.Quoted;
import dev.mintmark.app.service.DurationKey;
import dev.mintmark.app.service.InstantText;
import dev.mintmark.postgres.pool.ClaimNote;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A format of a file with values that are in use. The first line is a heading. */
public enum ImportFormat {
  /** Our own: {@code value, client}, and if wanted the other columns of the export. */
  CSV {
    @Override
    boolean fits(Columns columns) {
      return columns.has("value") && columns.has("client");
    }

    @Override
    ImportedClaim read(Columns columns, List<String> fields, boolean ofPrefixes) {
      ClaimNote note =
          ClaimNote.of(LabelsText.parse(columns.exactText(fields, "labels").orElse("")))
              .withDnsName(columns.text(fields, "dns_name"))
              .withDescription(columns.exactText(fields, "description"));
      return new ImportedClaim(
          columns.require(fields, "value"),
          columns
              .exactText(fields, "client")
              .orElseThrow(() -> new IllegalArgumentException("client is empty")),
          columns.exactText(fields, "owner"),
          columns.text(fields, "expires_at").map(text -> InstantText.parse("expires_at", text)),
          columns.text(fields, "lease").map(text -> DurationKey.parse("lease", text)),
          note,
          true);
    }
  },

  /**
   * IP addresses or prefixes that NetBox has exported. The client is the DNS name, or else the
   * value. A prefix that contains others, a container, is not in use.
   */
  NETBOX {
    @Override
    boolean fits(Columns columns) {
      boolean ofAddresses =
          columns.has("dns_name") && (columns.has("address") || columns.has("ip_address"));
      boolean ofPrefixes = columns.has("prefix") && columns.has("status");
      return (ofAddresses || ofPrefixes) && !columns.has("hwaddr");
    }

    @Override
    ImportedClaim read(Columns columns, List<String> fields, boolean ofPrefixes) {
      String value =
          columns.has("prefix")
              ? columns.require(fields, "prefix")
              : columns
                  .require(fields, columns.has("address") ? "address" : "ip_address")
                  .replaceFirst("/[0-9]+$", "");
      SortedMap<String, String> labels = new TreeMap<>();
      columns
          .text(fields, "tags")
          .ifPresent(
              tags ->
                  Arrays.stream(tags.split(","))
                      .map(String::strip)
                      .filter(tag -> !tag.isEmpty())
                      .forEach(tag -> labels.put(tag, "")));
      Optional<String> dnsName = columns.text(fields, "dns_name");
      return new ImportedClaim(
          value,
          dnsName.orElse(value),
          columns.text(fields, "tenant"),
          Optional.empty(),
          Optional.empty(),
          ClaimNote.of(labels)
              .withDnsName(dnsName)
              .withDescription(columns.text(fields, "description")),
          !columns.has("prefix")
              || columns.text(fields, "status").filter("container"::equalsIgnoreCase).isEmpty());
    }
  },

  /**
   * The lease file of Kea (memfile), for DHCPv4 or DHCPv6: a journal, in which the last line of an
   * address counts. The client is the hardware address, or else the client id; for DHCPv6 the DUID
   * and the IAID. Of DHCPv6 it has prefixes too (RFC 8415 section 6.3), for pools of prefixes.
   */
  KEA {
    /** The valid lifetime of a lease that does not end. */
    private static final long INFINITE = 0xFFFF_FFFFL;

    private static final String ADDRESS = "0";
    private static final String PREFIX = "2";

    @Override
    boolean fits(Columns columns) {
      return columns.has("address")
          && columns.has("valid_lifetime")
          && columns.has("expire")
          && (columns.has("client_id") || columns.has("duid"));
    }

    @Override
    boolean lastLineCounts() {
      return true;
    }

    @Override
    ImportedClaim read(Columns columns, List<String> fields, boolean ofPrefixes) {
      String client =
          columns.has("duid")
              ? columns.require(fields, "duid") + "/" + columns.text(fields, "iaid").orElse("0")
              : columns
                  .text(fields, "hwaddr")
                  .or(() -> columns.text(fields, "client_id"))
                  .orElseThrow(
                      () -> new IllegalArgumentException("hwaddr and client_id are empty"));
      long lifetime = number("valid_lifetime", columns.require(fields, "valid_lifetime"));
      long expire = number("expire", columns.require(fields, "expire"));
      boolean isActive = columns.text(fields, "state").orElse("0").equals("0");
      String type = columns.text(fields, "lease_type").orElse(ADDRESS);
      boolean isWanted = type.equals(ofPrefixes && columns.has("lease_type") ? PREFIX : ADDRESS);
      String address = columns.require(fields, "address");
      return new ImportedClaim(
          type.equals(PREFIX) ? address + "/" + columns.require(fields, "prefix_len") : address,
          client,
          Optional.empty(),
          lifetime == INFINITE ? Optional.empty() : Optional.of(Instant.ofEpochSecond(expire)),
          Optional.empty(),
          ClaimNote.NONE.withDnsName(
              columns
                  .text(fields, "hostname")
                  .map(name -> name.replace("&#x2c", ","))
                  .map(name -> name.replaceFirst("\\.$", ""))
                  .filter(name -> !name.isEmpty())),
          isActive && isWanted && lifetime > 0);
    }
  };

  abstract boolean fits(Columns columns);

  /**
   * Reads a record.
   *
   * @param ofPrefixes whether the pool has prefixes: a file of leases may have addresses as well
   * @throws IllegalArgumentException if a field is missing or malformed
   */
  abstract ImportedClaim read(Columns columns, List<String> fields, boolean ofPrefixes);

  /** Whether the last line of a value counts; otherwise a second line is an error. */
  boolean lastLineCounts() {
    return false;
  }

  /** The name of the format, as in options. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the format with this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ImportFormat parse(String label) {
    return Arrays.stream(values())
        .filter(format -> format.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "format %s: expected csv, netbox or kea".formatted(Quoted.of(label))));
  }

  /**
   * Recognizes the format by the heading.
   *
   * @throws IllegalArgumentException if no format has such a heading
   */
  static ImportFormat of(List<String> heading) {
    Columns columns = new Columns(heading);
    return Arrays.stream(values())
        .filter(format -> format.fits(columns))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    ("line 1: %s is the heading of no format: expected value,client,... (csv),"
                            + " address,dns_name,... or prefix,status,... (netbox), or the heading of a lease file"
                            + " (kea)")
                        .formatted(Quoted.of(String.join(",", heading)))));
  }

  /**
   * Rejects a heading that lacks columns.
   *
   * @throws IllegalArgumentException if it is not one of this format
   */
  void check(List<String> heading) {
    if (!fits(new Columns(heading))) {
      throw new IllegalArgumentException(
          "line 1: %s is not a heading of the format %s"
              .formatted(Quoted.of(String.join(",", heading)), label()));
    }
  }

  private static long number(String column, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s is %s: expected a number".formatted(column, Quoted.of(text)), e);
    }
  }

  /** The columns of a heading: letter case does not count, and spaces are underscores. */
  static final class Columns {
    private final Map<String, Integer> indices = new HashMap<>();
    private final int count;

    Columns(List<String> heading) {
      count = heading.size();
      for (int i = 0; i < count; i++) {
        String name = heading.get(i).strip().toLowerCase(Locale.ROOT).replace(' ', '_');
        indices.putIfAbsent(name, i);
      }
    }

    boolean has(String column) {
      return indices.containsKey(column);
    }

    /**
     * The text of a field without white space around it; empty if it is blank or the heading does
     * not have it.
     */
    Optional<String> text(List<String> fields, String column) {
      return exactText(fields, column).map(String::strip).filter(text -> !text.isEmpty());
    }

    /** The text of a field as it is; empty if there is none or the heading does not have it. */
    Optional<String> exactText(List<String> fields, String column) {
      Integer index = indices.get(column);
      return index == null || index >= fields.size()
          ? Optional.empty()
          : Optional.of(fields.get(index)).filter(text -> !text.isEmpty());
    }

    String require(List<String> fields, String column) {
      return text(fields, column)
          .orElseThrow(() -> new IllegalArgumentException(column + " is empty"));
    }

    /** Rejects a record with more fields than the heading has. */
    void checkCount(List<String> fields) {
      if (fields.size() > count) {
        throw new IllegalArgumentException(
            "it has %s fields: the heading has %s".formatted(fields.size(), count));
      }
    }
  }
}
