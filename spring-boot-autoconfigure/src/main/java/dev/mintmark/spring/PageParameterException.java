package dev.mintmark.spring;

import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;

/** A parameter of a request for a page is wrong. Answered with 400. */
final class PageParameterException extends ErrorResponseException {
  private static final long serialVersionUID = 1;

  private final String parameter;

  PageParameterException(String parameter, String reason) {
    super(HttpStatus.BAD_REQUEST);
    this.parameter = parameter;
    setTitle("Malformed page request");
    setDetail(reason);
    getBody().setProperty("code", "malformed-page-request");
    getBody().setProperty("parameter", parameter);
  }

  /** The parameter. */
  String parameter() {
    return parameter;
  }
}
