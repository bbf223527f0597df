package dev.mintmark.app.view;

import java.util.List;

/** What each of the clients of one request got, in their order, as JSON. */
public record ClaimOutcomesJson(List<ClaimOutcomeJson> outcomes) {}
