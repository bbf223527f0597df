/** A client of the HTTP API for pools. */
module dev.mintmark.client {
  requires dev.mintmark;
  requires transitive java.net.http;
  requires static org.jspecify;
  requires tools.jackson.core;

  exports dev.mintmark.client;
}
