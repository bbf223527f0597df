package dev.mintmark.app;

import dev.mintmark.app.cli.MintmarkCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Runs what commands run when they start, so that a JVM can record the classes in a class-data
 * archive. The launcher runs it in the background. It changes nothing and connects to nothing: the
 * address of its database refuses connections.
 */
final class StartTraining {
  private static final String ID = "01FZG96YPZK4SANAG1ZM5T2K9Z";

  /** Port 1 is that of a protocol that nobody offers. */
  private static final String NO_DATABASE =
      "--database-url=postgresql://nobody@127.0.0.1:1/none?connectTimeout=1";

  private static final String CATALOG =
      """
      namespace: a
      collections:
        b: {kind: uuidv7, table: b, prefix: B}
        c: {kind: ulid}
      pools:
        d: {blocks: [10.0.0.0/24], lease: 30s}
      """;

  /** What is loaded only once a database has been reached. */
  private static final Pattern OF_DATABASES =
      Pattern.compile(
          "(org/postgresql/(core|jdbc|util|gss|ssl|plugin|hostchooser|scram|jre7)|com/ongres"
              + "|com/zaxxer/hikari/(pool|util)|dev/mintmark/(postgres|app/(database|view|cli/pool)))/"
              + ".*\\.class");

  private static final Pattern CLASS_PATH_ENTRY =
      Pattern.compile(File.pathSeparator, Pattern.LITERAL);

  private StartTraining() {}

  /** Runs the commands and loads the classes of connections. */
  public static void main(String[] args) throws IOException {
    Main.handleUncaught();
    Path catalog = Files.createTempFile("mintmark-", ".yaml");
    try {
      Files.writeString(catalog, CATALOG);
      for (List<String> command :
          List.of(
              List.of("mint"),
              List.of("mint", "--kind", "ulid", "-n", "2", "--to", "uuid"),
              List.of("mint", "--collection", "b", "--catalog", catalog.toString()),
              List.of("mint", "--kind", "snowflake", "--node", "1"),
              List.of("inspect", ID),
              List.of("inspect", "--json", ID),
              List.of("convert", "--to", "uuid", ID),
              List.of("convert", "--to", "time", "nonsense"),
              List.of("catalog", "check", catalog.toString()),
              List.of("catalog", "check", "--json", catalog.toString()),
              List.of("pool", "list", NO_DATABASE),
              List.of("pool", "stats", "--json", NO_DATABASE),
              List.of("pool", "claim", "d", "--client", "e", NO_DATABASE),
              List.of("doctor", NO_DATABASE),
              List.of("migrate", "status", NO_DATABASE),
              List.of("mnit"))) {
        String[] arguments = command.toArray(String[]::new);
        MintmarkCommand.execute(arguments);
      }
    } finally {
      Files.delete(catalog);
    }
    for (String entry :
        CLASS_PATH_ENTRY.splitAsStream(System.getProperty("java.class.path")).toList()) {
      if (entry.endsWith(".jar")) {
        loadClasses(entry);
      }
    }
    System.exit(0); // no thread of a command may keep the process
  }

  private static void loadClasses(String jar) throws IOException {
    try (ZipFile file = new ZipFile(jar)) {
      for (Enumeration<? extends ZipEntry> entries = file.entries(); entries.hasMoreElements(); ) {
        String name = entries.nextElement().getName();
        if (OF_DATABASES.matcher(name).matches()) {
          load(name.replaceFirst("\\.class$", "").replace('/', '.'));
        }
      }
    }
  }

  /** Loads a class without initializing it; some need libraries that we do not have. */
  private static void load(String name) {
    try {
      Class.forName(name, false, StartTraining.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      // It is not in the archive then.
    }
  }
}
