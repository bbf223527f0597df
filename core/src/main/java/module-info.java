/**
 * Identifiers as values: minted, written, parsed, declared and inspected. Requires only the JDK.
 */
module dev.mintmark {
  requires static com.fasterxml.jackson.annotation;
  requires static org.jspecify;

  exports dev.mintmark;

  uses dev.mintmark.IdTypes;
}
