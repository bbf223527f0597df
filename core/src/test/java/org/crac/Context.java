package org.crac;

/** As in org.crac 1.5: the resources that are told. */
public abstract class Context<R extends Resource> implements Resource {
  public abstract void register(R resource);
}
