package dev.mintmark.catalog;

import dev.mintmark.Catalog;
import dev.mintmark.ValueList;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Reads a catalog, {@code mintmark.yaml}, into its {@linkplain Catalog model}.
 *
 * <pre>
 *   namespace: bobsburgers
 *   code: b
 *   collections:
 *     meats:    { kind: uuidv7,   table: meats, column: id, code: m }
 *     payments: { kind: sequence, prefix: PM, width: 6, face: { mask: pay, key-label: payments } }
 *   namespaces:
 *     soundcloud: { collections: { tracks: { kind: snowflake } } }
 *   databases:
 *     global: {}
 *     eu: {}
 *   pools:
 *     workers:     { range: 0..1023, lease: 30s }
 *     order-ids:   { range: 1..1000000000 by 1000000, history: none }
 *     node-pods:   { blocks: [10.244.0.0/16 by /24] }
 *     vouchers:    { list: codes.txt, order: ascending, per-client: 2, per-owner: 10, sticky: false }
 *     public-ipv4: { blocks: [45.67.80.0/22], exclude: [45.67.80.1], quarantine: 10m, history: 90d }
 *     eu-ipv4:     { blocks: [192.0.2.0/24], database: eu }
 *     eu-orders:   { blocks-from: order-ids, keep-free: 100000, database: eu }
 *   references:
 *     comments.subject: any
 *   formats:
 *     shop-order: { text: "SO-[0-9a-z]{12}" }
 *     acme-flake: { snowflake: { epoch: 2020-05-01, node-bits: 10, sequence-bits: 12 } }
 * </pre>
 *
 * <p>The file is one YAML 1.2 document in UTF-8, at most 1 MiB long. Unknown and duplicate keys are
 * rejected. Every error names the file and the line. A {@code list} is one file or several files,
 * with {@linkplain ValueList#read one value per line}.
 */
public final class CatalogReader {
  /** Maximum size of a file, in bytes. */
  private static final int SIZE_MAX = 1 << 20;

  private CatalogReader() {}

  /**
   * Reads the catalog in {@code file}. Paths of lists are relative to the directory of {@code
   * file}.
   *
   * @throws CatalogException if it cannot be read or is not a catalog
   */
  public static Catalog read(Path file) {
    return readLocated(file).catalog();
  }

  /**
   * Reads the catalog in {@code file} as {@link #read(Path)} does, and records the line of each of
   * its parts.
   *
   * @throws CatalogException if it cannot be read or is not a catalog
   */
  public static LocatedCatalog readLocated(Path file) {
    return read(file.toString(), decode(file.toString(), bytes(file)), file.resolveSibling(""));
  }

  /**
   * Reads a catalog from a text. Paths of lists are relative to the working directory.
   *
   * @param name the name of the text in messages
   * @throws CatalogException if it is not a catalog
   */
  public static Catalog read(String name, String yaml) {
    return read(name, yaml, Path.of("")).catalog();
  }

  private static LocatedCatalog read(String name, String yaml, Path directory) {
    if (yaml.length() > SIZE_MAX) {
      throw tooLarge(name);
    }
    return new ModelReader(name, directory).catalog(new YamlDocument(name, yaml).root());
  }

  private static byte[] bytes(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(SIZE_MAX + 1);
      if (bytes.length > SIZE_MAX) {
        throw tooLarge(file.toString());
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw new CatalogException(file + ": no such file", e);
    } catch (AccessDeniedException e) {
      throw new CatalogException(file + ": permission denied", e);
    } catch (IOException e) {
      throw new CatalogException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private static String decode(String name, byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(in, out, true);
    if (result.isError()) {
      int line = 1 + (int) out.flip().chars().filter(c -> c == '\n').count();
      throw new Location(name, line)
          .wrong("not UTF-8: the byte 0x%02X".formatted(bytes[in.position()]));
    }
    return out.flip().toString();
  }

  private static CatalogException tooLarge(String name) {
    return new CatalogException(name + ": larger than " + SIZE_MAX + " bytes");
  }
}
