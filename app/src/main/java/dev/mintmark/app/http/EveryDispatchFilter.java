package dev.mintmark.app.http;

import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A filter that also sees requests which are dispatched again: {@link BodyFilter} does that when a
 * body is complete, and then it is the first dispatch that the filters behind it see.
 */
abstract class EveryDispatchFilter extends OncePerRequestFilter {
  @Override
  protected final boolean shouldNotFilterAsyncDispatch() {
    return false;
  }
}
