/** Identifiers as values: made, written, read, named and taken apart. Needs the JDK alone. */
module dev.mintmark {
  requires static com.fasterxml.jackson.annotation;
  requires static org.jspecify;

  exports dev.mintmark;
}
