package dev.mintmark.app.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.view.Json;
import dev.mintmark.fixtures.Patience;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * When a body is read, by a Tomcat that answers with the kind of the dispatch and with the body.
 */
@Tag("slow")
final class BodyFilterTest {
  private static final byte[] NOTHING = {};

  /** A request to this path is in progress until it is let go. */
  private static final String HELD_PATH = "/held";

  /** The greatest bodies that the filter takes at a time. */
  private static final int LARGE_AT_ONCE = 8;

  /** Other bodies that may arrive at a time. */
  private static final int ARRIVING_AT_ONCE = 256;

  private final Tomcat tomcat = new Tomcat();

  /** A permit for each request that the filter has looked at for the first time. */
  private final Semaphore seen = new Semaphore(0);

  private final Semaphore going = new Semaphore(0);

  @BeforeEach
  void start(@TempDir Path directory) throws LifecycleException {
    tomcat.setBaseDir(directory.toString());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    var unused = tomcat.getConnector().setProperty("maxThreads", "300");
    Context context = tomcat.addContext("", directory.toString());
    add(
        context,
        "seen",
        (request, response, chain) -> {
          chain.doFilter(request, response);
          seen.release();
        });
    add(context, "body", new BodyFilter(new ProblemWriter(Json.MAPPER)));
    Tomcat.addServlet(context, "echo", (Servlet) new Echo()).setAsyncSupported(true);
    context.addServletMappingDecoded("/*", "echo");
    tomcat.start();
  }

  @AfterEach
  void stop() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100, 4_000})
  void aBodyThatArrivedWithItsRequestIsReadAtOnce(int length) throws Exception {
    byte[] body = body(length);

    assertThat(answer(join(head(length), body), NOTHING)).isEqualTo("REQUEST " + text(body));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2_000, 3_999})
  void aBodyThatArrivesLaterIsReadWhenItIsComplete(int early) throws Exception {
    byte[] body = body(4_000);
    byte[] first = Arrays.copyOfRange(body, 0, early);
    byte[] rest = Arrays.copyOfRange(body, early, body.length);

    assertThat(answer(join(head(body.length), first), rest)).isEqualTo("ASYNC " + text(body));
  }

  @Test
  void largeBodiesTakeNoPlaceFromOthers() throws Exception {
    List<Socket> large = new ArrayList<>();
    try {
      for (int i = 0; i < LARGE_AT_ONCE; i++) {
        large.add(beginText(BodyFilter.TEXT_BYTES_MAX));
      }

      assertThat(answer(head(3), body(3))).isEqualTo("ASYNC " + text(body(3)));
      try (Socket oneMore = beginText(BodyFilter.TEXT_BYTES_MAX)) {
        assertThat(readHead(oneMore)).startsWith("HTTP/1.1 503").contains("\r\nRetry-After: 1\r\n");
      }
    } finally {
      for (Socket socket : large) {
        socket.close();
      }
    }
  }

  @Test
  void aLargeBodyTakesTheRoomThatItNeeds() throws Exception {
    List<Socket> texts = new ArrayList<>();
    int length = BodyFilter.BODY_BYTES_MAX + 1;
    try {
      for (int i = 0; i <= LARGE_AT_ONCE; i++) {
        texts.add(beginText(length));
      }

      Socket last = texts.get(LARGE_AT_ONCE);
      last.getOutputStream().write(body(length));
      assertThat(read(last)).isEqualTo("ASYNC " + text(body(length)));
    } finally {
      for (Socket socket : texts) {
        socket.close();
      }
    }
  }

  /** Sends the head of a text that may be large. */
  private Socket beginText(int length) throws IOException, InterruptedException {
    return begin(InspectionsController.PATH, length);
  }

  /** Sends the head of a request, and waits until the filter has seen it. */
  private Socket begin(String path, int length) throws IOException, InterruptedException {
    Socket socket = connect();
    socket.getOutputStream().write(head(path, length));
    assertThat(seen.tryAcquire(Patience.MAX.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    return socket;
  }

  @Test
  void aPlaceIsFreeWhenTheBodyIsComplete() throws Exception {
    List<Socket> inProgress = new ArrayList<>();
    try {
      for (int i = 0; i < ARRIVING_AT_ONCE; i++) {
        Socket socket = begin(HELD_PATH, 1);
        inProgress.add(socket);
        socket.getOutputStream().write(body(1));
      }
      Patience.await("all to be handled", () -> going.getQueueLength() == ARRIVING_AT_ONCE);

      assertThat(answer(head(3), body(3))).isEqualTo("ASYNC " + text(body(3)));
    } finally {
      going.release(ARRIVING_AT_ONCE);
      for (Socket socket : inProgress) {
        socket.close();
      }
    }
  }

  @Test
  @Tag("slow")
  void theNextRequestInTheSameBufferKeepsItsBytes() throws Exception {
    byte[] both = join(join(head(3), body(3)), join(head(4), body(4)));

    try (Socket socket = connect()) {
      socket.getOutputStream().write(both);
      assertThat(read(socket)).isEqualTo("REQUEST " + text(body(3)));
      assertThat(read(socket)).isEqualTo("REQUEST " + text(body(4)));
    }
  }

  /** Sends the first bytes of a request, and the rest when the filter has seen the request. */
  private String answer(byte[] first, byte[] rest) throws IOException, InterruptedException {
    try (Socket socket = connect()) {
      OutputStream out = socket.getOutputStream();
      out.write(first);
      if (rest.length > 0) {
        assertThat(seen.tryAcquire(Patience.MAX.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        out.write(rest);
      }
      return read(socket);
    }
  }

  private Socket connect() throws IOException {
    return RawRequests.connect(tomcat.getConnector().getLocalPort());
  }

  private static byte[] head(int length) {
    return head("/", length);
  }

  private static byte[] head(String path, int length) {
    return "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
        .formatted(path, length)
        .getBytes(US_ASCII);
  }

  private static byte[] body(int length) {
    byte[] body = new byte[length];
    for (int i = 0; i < length; i++) {
      body[i] = (byte) ('a' + i % 26);
    }
    return body;
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, US_ASCII);
  }

  /** Reads the body of one answer, whose length its head says. */
  private static String read(Socket socket) throws IOException {
    String length = readHead(socket).replaceFirst("(?s).*Content-Length: ([0-9]+).*", "$1");
    return text(socket.getInputStream().readNBytes(Integer.parseInt(length)));
  }

  private static String readHead(Socket socket) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = socket.getInputStream().read();
      assertThat(next).as(head.toString()).isNotNegative();
      head.append((char) next);
    }
    return head.toString();
  }

  private static void add(Context context, String name, Filter filter) {
    FilterDef definition = new FilterDef();
    definition.setFilterName(name);
    definition.setFilter(filter);
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName(name);
    map.addURLPattern("/*");
    map.setDispatcher("REQUEST");
    map.setDispatcher("ASYNC");
    context.addFilterMap(map);
  }

  private final class Echo extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      if (request.getRequestURI().equals(HELD_PATH)) {
        going.acquireUninterruptibly();
      }
      byte[] body = request.getInputStream().readAllBytes();
      byte[] kind = (request.getDispatcherType() + " ").getBytes(US_ASCII);
      byte[] answer = join(kind, body);
      response.setContentLength(answer.length);
      response.getOutputStream().write(answer);
    }
  }
}
