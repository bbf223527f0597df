package dev.mintmark.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * A {@code pom.xml} of this checkout, or an element of it, as it is written: nothing is inherited.
 */
record Pom(Node node) {
  private static final Set<String> UNPUBLISHED =
      Set.of("fixtures", "distribution", "examples", "verify");

  /**
   * The directories of the modules whose artifacts are for users, the bill of materials included.
   */
  static List<String> publishedModules() {
    return of(".").texts("/project/modules/module").stream()
        .filter(module -> !UNPUBLISHED.contains(module))
        .toList();
  }

  /** The pom of a module; {@code "."} is the root. */
  static Pom of(String module) {
    Path file = Checkout.root().resolve(module).resolve("pom.xml");
    try (var in = Files.newInputStream(file)) {
      return new Pom(DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in));
    } catch (IOException | ParserConfigurationException | SAXException e) {
      throw new IllegalStateException(file.toString(), e);
    }
  }

  /** The texts of the elements at an XPath. */
  List<String> texts(String path) {
    return elements(path).stream().map(pom -> pom.node.getTextContent().strip()).toList();
  }

  /** The elements at an XPath. */
  List<Pom> elements(String path) {
    try {
      NodeList nodes =
          (NodeList)
              XPathFactory.newInstance().newXPath().evaluate(path, node, XPathConstants.NODESET);
      List<Pom> elements = new ArrayList<>();
      for (int i = 0; i < nodes.getLength(); i++) {
        elements.add(new Pom(nodes.item(i)));
      }
      return elements;
    } catch (XPathExpressionException e) {
      throw new IllegalArgumentException(path, e);
    }
  }
}
