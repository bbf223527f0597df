package dev.mintmark.spring;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.json.JsonWriter;
import org.springframework.http.HttpStatus;

/**
 * A problem document (RFC 9457), as MVC and WebFlux send it.
 *
 * @param title what every problem with this code has
 * @param code what programs distinguish it by
 * @param detail what is wrong here
 * @param members further members, in their order
 */
record ProblemDocument(
    HttpStatus status, String title, String code, String detail, Map<String, String> members) {
  private static final JsonWriter<Map<String, Object>> JSON = JsonWriter.standard();

  /**
   * Returns it as JSON, in UTF-8.
   *
   * @param instance the path of the request
   */
  byte[] json(String instance) {
    Map<String, Object> problem = new LinkedHashMap<>();
    problem.put("type", "about:blank");
    problem.put("title", title);
    problem.put("status", status.value());
    problem.put("detail", detail);
    problem.put("instance", instance);
    problem.put("code", code);
    problem.putAll(members);
    return JSON.writeToString(problem).getBytes(StandardCharsets.UTF_8);
  }
}
