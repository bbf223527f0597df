package dev.mintmark.client;

import java.time.Duration;
import java.util.Optional;

/**
 * Why the server did not do what it was asked (RFC 9457).
 *
 * @param code the type of the problem, which is stable: compare it. Later versions of the server
 *     can have further codes; treat an unknown one as its status
 * @param status the status of the response, from 400
 * @param detail for people; the wording can change
 * @param retryAfter when another request can succeed, if the server said so: 0 to 1 day
 */
public record Problem(String code, int status, String detail, Optional<Duration> retryAfter) {}
