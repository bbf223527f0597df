package dev.mintmark.app.cli;

import dev.mintmark.Quoted;
import dev.mintmark.app.cli.common.FileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads the file with the settings of {@code serve}: options without their dashes, one a line.
 *
 * <pre>
 * port: 8080
 * behind-proxy: 10.0.0.0/8
 * access-log: true
 * </pre>
 */
final class SettingsFile {
  /** Larger ones are no settings. */
  private static final int BYTES_MAX = 1 << 16;

  private SettingsFile() {}

  /**
   * A value of the file.
   *
   * @param text as it is written, without quotes
   * @param line counted from 1
   */
  record Entry(String text, int line) {}

  /**
   * Reads a file.
   *
   * @return the entries by name, in their order
   * @throws IllegalArgumentException if it is not a mapping of names to single values; the message
   *     begins with the file and the line
   * @throws FileException if the file cannot be read
   */
  static Map<String, Entry> read(Path file) {
    String name = file.toString();
    Map<String, Entry> entries = new LinkedHashMap<>();
    for (NodeTuple pair : root(name, text(file)).map(MappingNode::getValue).orElse(List.of())) {
      int line = line(pair.getKeyNode());
      if (!(pair.getKeyNode() instanceof ScalarNode key)) {
        throw wrong(name, line, "the name of a setting must be a text");
      }
      if (!(pair.getValueNode() instanceof ScalarNode value) || value.getValue().isEmpty()) {
        throw wrong(name, line, key.getValue() + ": expected one value");
      }
      if (entries.put(key.getValue(), new Entry(value.getValue(), line)) != null) {
        throw wrong(name, line, key.getValue() + " is set twice");
      }
    }
    return entries;
  }

  private static String text(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(BYTES_MAX + 1);
      if (bytes.length > BYTES_MAX) {
        throw new IllegalArgumentException(
            "%s: too large: the maximum is %s bytes".formatted(file, BYTES_MAX));
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new FileException("settings " + file, e);
    }
  }

  private static Optional<MappingNode> root(String file, String yaml) {
    LoadSettings settings =
        LoadSettings.builder().setLabel(file).setAllowDuplicateKeys(true).build();
    try {
      Optional<Node> root =
          new Composer(settings, new ParserImpl(settings, new StreamReader(settings, yaml)))
              .getSingleNode();
      if (root.isPresent() && !(root.get() instanceof MappingNode)) {
        throw wrong(file, line(root.get()), "expected settings as port: 8080");
      }
      return root.map(MappingNode.class::cast);
    } catch (MarkedYamlEngineException e) {
      throw wrong(
          file,
          e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1),
          "not YAML: " + Quoted.of(String.valueOf(e.getProblem())));
    } catch (YamlEngineException e) {
      throw wrong(file, 1, "not YAML: " + Quoted.of(String.valueOf(e.getMessage())));
    }
  }

  private static int line(Node node) {
    return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }

  private static IllegalArgumentException wrong(String file, int line, String what) {
    return new IllegalArgumentException("%s:%s: %s".formatted(file, line, what));
  }
}
