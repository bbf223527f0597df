package dev.mintmark.app.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Handles a request with the class loader of the program as the context class loader. A thread that
 * is started meanwhile inherits it, and may outlive the web application: a thread of a connection
 * pool, or the one with which the JDK delays tasks. With the loader of the web application Tomcat
 * would report it as a leak when the server stops. Thread-safe.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class ClassLoaderFilter extends EveryDispatchFilter {
  @Override
  void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
    try {
      chain.doFilter(request, response);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
