package dev.mintmark.spring;

/** The edge of an application with Spring MVC. */
class FacesTest extends EdgeExpectations {
  FacesTest() {
    super("servlet");
  }
}
