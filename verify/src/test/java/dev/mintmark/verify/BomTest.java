package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The bill of materials has all published artifacts, in their version, and nothing else. */
class BomTest {
  private static final Set<String> UNPUBLISHED =
      Set.of("fixtures", "distribution", "examples", "verify", "bom");

  private static final String MANAGED = "/project/dependencyManagement/dependencies/dependency";

  @Test
  void everyPublishedArtifactIsListed() throws Exception {
    List<String> artifacts = new ArrayList<>();
    for (String module : texts(pom("."), "/project/modules/module")) {
      if (!UNPUBLISHED.contains(module)) {
        artifacts.addAll(texts(pom(module), "/project/artifactId"));
      }
    }

    assertThat(artifacts).hasSizeGreaterThan(8);
    assertThat(texts(pom("bom"), MANAGED + "/artifactId"))
        .containsExactlyInAnyOrderElementsOf(artifacts);
    assertThat(texts(pom("bom"), MANAGED + "/groupId")).containsOnly("dev.mintmark");
    assertThat(texts(pom("bom"), MANAGED + "/version")).containsOnly("${project.version}");
  }

  @Test
  void versionIsThatOfTheProject() throws Exception {
    assertThat(texts(pom("bom"), "/project/version"))
        .isEqualTo(texts(pom("."), "/project/version"));
  }

  @Test
  void addressIsThatOfTheProject() throws Exception {
    assertThat(texts(pom("bom"), "/project/properties/project.site"))
        .hasSize(1)
        .isEqualTo(texts(pom("."), "/project/properties/project.site"));
  }

  /** With a parent, importing it would import all managed versions of the parent. */
  @Test
  void nothingIsInherited() throws Exception {
    assertThat(texts(pom("bom"), "/project/parent/artifactId")).isEmpty();
  }

  private static Document pom(String module)
      throws IOException, ParserConfigurationException, SAXException {
    Path file = Checkout.root().resolve(module).resolve("pom.xml");
    try (var in = Files.newInputStream(file)) {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
    }
  }

  private static List<String> texts(Document pom, String path) throws XPathExpressionException {
    XPath xpath = XPathFactory.newInstance().newXPath();
    NodeList nodes = (NodeList) xpath.evaluate(path, pom, XPathConstants.NODESET);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent().strip());
    }
    return texts;
  }
}
