package dev.mintmark.hibernate;

import java.io.Serializable;

/** A class of an application. */
record PaymentId(long value) implements Serializable {}
