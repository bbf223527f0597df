package dev.mintmark.catalog;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Parses a YAML 1.2 text into nodes, each with its line.
 *
 * <p>It uses the core schema, not the schema of YAML 1.1: {@code NO} is a text and {@code 010} is
 * ten. It builds nodes, not objects: no tag can name a class, and an alias is one more reference to
 * a node, not a copy of it.
 */
final class YamlDocument {
  /** Maximum depth of nested lists and mappings: the composer recurses. A catalog needs five. */
  private static final int DEPTH_MAX = 32;

  private final String file;
  private final String yaml;

  YamlDocument(String file, String yaml) {
    this.file = file;
    this.yaml = yaml;
  }

  /**
   * Returns the root of the only document.
   *
   * @throws CatalogException if the text is not YAML, or holds no document or more than one
   */
  Node root() {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(file)
            .setSchema(new CoreSchema())
            .setAllowNonScalarKeys(true) // rejected later, when their line is known
            .build();
    try {
      Parser parser = new ParserImpl(settings, new StreamReader(settings, yaml));
      Composer composer = new Composer(settings, new DepthLimit(parser));
      if (!composer.hasNext()) {
        throw new Location(file, 1).wrong("the catalog is empty: expected \"namespace: NAME\"");
      }
      Node root = composer.next();
      if (composer.hasNext()) {
        throw Location.of(file, composer.next().getStartMark())
            .wrong("a second YAML document: expected one");
      }
      return root;
    } catch (MarkedYamlEngineException e) {
      throw locate(e).wrong("not YAML: " + problem(e), e);
    } catch (ReaderException e) {
      throw new Location(file, lineOf(e.getPosition()))
          .wrong("not YAML: the character U+%04X is not allowed".formatted(e.getCodePoint()), e);
    } catch (YamlEngineException e) {
      // The engine reports no line for errors of the whole document: too many aliases, a version.
      throw new Location(file, 1)
          .wrong("not YAML 1.2: " + plain(String.valueOf(e.getMessage())), e);
    }
  }

  private Location locate(MarkedYamlEngineException e) {
    return Location.of(file, e.getProblemMark().or(e::getContextMark));
  }

  private static String problem(MarkedYamlEngineException e) {
    return Stream.of(e.getContext(), e.getProblem())
        .filter(text -> text != null && !text.isBlank())
        .map(YamlDocument::plain)
        .collect(Collectors.joining(": "));
  }

  /** Keeps a message on one line: the engine quotes line breaks and control characters as is. */
  private static String plain(String text) {
    return text.replaceAll("[\\p{Cntrl}\\p{Zl}\\p{Zp}]+", " ").strip();
  }

  private int lineOf(int codePoint) {
    int end =
        yaml.offsetByCodePoints(0, Math.min(codePoint, yaml.codePointCount(0, yaml.length())));
    return 1 + (int) yaml.substring(0, end).chars().filter(c -> c == '\n').count();
  }

  /** Passes events to the composer, and fails before their nesting can overflow its stack. */
  private final class DepthLimit implements Parser {
    private final Parser parser;
    private int depth;

    DepthLimit(Parser parser) {
      this.parser = parser;
    }

    @Override
    public boolean checkEvent(Event.ID id) {
      return parser.checkEvent(id);
    }

    @Override
    public Event peekEvent() {
      return parser.peekEvent();
    }

    @Override
    public boolean hasNext() {
      return parser.hasNext();
    }

    @Override
    public Event next() {
      Event event = parser.next();
      switch (event.getEventId()) {
        case MappingStart, SequenceStart -> descend(event.getStartMark());
        case MappingEnd, SequenceEnd -> depth--;
        default -> {}
      }
      return event;
    }

    private void descend(Optional<Mark> mark) {
      if (++depth > DEPTH_MAX) {
        throw Location.of(file, mark).wrong("nested more than " + DEPTH_MAX + " levels deep");
      }
    }
  }
}
