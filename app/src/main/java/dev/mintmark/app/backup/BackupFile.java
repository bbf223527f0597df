package dev.mintmark.app.backup;

import dev.mintmark.app.backup.BackupManifest.TableData;
import dev.mintmark.app.view.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The file of a backup: a ZIP archive with the rows of each table, and the manifest as its last
 * entry. For one thread.
 */
public final class BackupFile implements AutoCloseable {
  static final String MANIFEST = "manifest.json";

  private final Path path;
  private final ZipFile zip;
  private final BackupManifest manifest;

  private BackupFile(Path path, ZipFile zip, BackupManifest manifest) {
    this.path = path;
    this.zip = zip;
    this.manifest = manifest;
  }

  /**
   * Opens a backup and compares all of it with its digests, and the manifest with its checksum.
   *
   * @throws BackupException if it is not a backup, not complete, damaged, or of a newer format
   */
  public static BackupFile open(Path path) {
    if (!Files.isRegularFile(path)) {
      throw new BackupException(
          "backup %s: %s".formatted(path, Files.exists(path) ? "is not a file" : "no such file"));
    }
    ZipFile zip;
    try {
      zip = new ZipFile(path.toFile(), StandardCharsets.UTF_8);
    } catch (ZipException e) {
      throw damaged(path, "not a complete ZIP archive");
    } catch (IOException e) {
      throw new BackupException("backup %s: %s".formatted(path, e.getMessage()));
    }
    try {
      BackupFile file = new BackupFile(path, zip, manifest(path, zip));
      file.compare();
      return file;
    } catch (ZipException e) {
      close(zip);
      throw damaged(path, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      close(zip);
      throw new BackupException("backup %s: %s".formatted(path, e.getMessage()));
    } catch (RuntimeException e) {
      close(zip);
      throw e;
    }
  }

  public BackupManifest manifest() {
    return manifest;
  }

  /**
   * Checks that the backup has everything that was claimed before it was made, as far as is known.
   *
   * @throws BackupException if a failover of its database had not been dealt with
   */
  public void checkComplete() {
    if (Boolean.TRUE.equals(manifest.failoverPending())) {
      throw new BackupException(
          ("backup %s: was made after a failover or a restore of its database and before a server of"
                  + " Mintmark ran, so claims may be lost: restore it without --no-quarantine")
              .formatted(path));
    }
  }

  /** Returns the rows of a table, in the text format of {@code COPY}. */
  InputStream rows(TableData table) throws IOException {
    ZipEntry entry = zip.getEntry(table.entry());
    if (entry == null) {
      throw damaged(path, table.entry() + " is missing");
    }
    return zip.getInputStream(entry);
  }

  @Override
  public void close() {
    close(zip);
  }

  private static void close(ZipFile zip) {
    try {
      zip.close();
    } catch (IOException e) {
      // It was only read.
    }
  }

  private static BackupManifest manifest(Path path, ZipFile zip) throws IOException {
    ZipEntry entry = zip.getEntry(MANIFEST);
    if (entry == null) {
      throw new BackupException(
          "backup %s: has no %s: expected a file of mintmark backup".formatted(path, MANIFEST));
    }
    try (InputStream in = zip.getInputStream(entry)) {
      byte[] text = in.readAllBytes();
      if (checksum(text) != entry.getCrc()) {
        throw damaged(path, MANIFEST + " does not have the checksum in the archive");
      }
      JsonNode read = Json.MAPPER.readTree(text);
      int format = read.path("format").asInt(0);
      if (format > BackupManifest.FORMAT) {
        throw new BackupException(
            ("backup %s: has format %s, this mintmark reads up to %s: restore it with Mintmark %s or"
                    + " later")
                .formatted(
                    path,
                    format,
                    BackupManifest.FORMAT,
                    read.path("mintmark").asString("of the version that made it")));
      }
      return Json.MAPPER.treeToValue(read, BackupManifest.class);
    } catch (JacksonException e) {
      throw damaged(path, MANIFEST + " cannot be read: " + e.getOriginalMessage());
    }
  }

  /** Tables have a digest in the manifest, and the manifest has this, which ZipFile ignores. */
  private static long checksum(byte[] bytes) {
    CRC32 checksum = new CRC32();
    checksum.update(bytes);
    return checksum.getValue();
  }

  private void compare() throws IOException {
    for (TableData table : manifest.tables()) {
      MessageDigest digest = sha256();
      try (InputStream in = new DigestInputStream(rows(table), digest)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
      if (!hex(digest).equals(table.sha256())) {
        throw damaged(path, table.entry() + " does not have the digest in " + MANIFEST);
      }
    }
  }

  private static BackupException damaged(Path path, String why) {
    return new BackupException(
        "backup %s: is damaged: %s. Nothing was restored: use another copy of the file"
            .formatted(path, why));
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }
}
