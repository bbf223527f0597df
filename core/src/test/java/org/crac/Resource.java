package org.crac;

/** As in org.crac 1.5: what is told of checkpoints and restorations. */
public interface Resource {
  void beforeCheckpoint(Context<? extends Resource> context) throws Exception;

  void afterRestore(Context<? extends Resource> context) throws Exception;
}
