package dev.mintmark.spring;

/** The edge of an application with WebFlux. */
class ReactiveFacesTest extends EdgeExpectations {
  ReactiveFacesTest() {
    super("reactive");
  }
}
