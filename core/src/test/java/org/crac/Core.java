package org.crac;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A context that keeps its resources weakly, as that of org.crac does. */
public final class Core {
  private static final Contexts GLOBAL = new Contexts();

  private Core() {}

  public static Context<Resource> getGlobalContext() {
    return GLOBAL;
  }

  private static final class Contexts extends Context<Resource> {
    private final List<WeakReference<Resource>> resources = new ArrayList<>();

    @Override
    public synchronized void register(Resource resource) {
      resources.add(new WeakReference<>(resource));
    }

    @Override
    public synchronized void beforeCheckpoint(Context<? extends Resource> context)
        throws Exception {
      for (Resource resource : alive()) {
        resource.beforeCheckpoint(this);
      }
    }

    @Override
    public synchronized void afterRestore(Context<? extends Resource> context) throws Exception {
      for (Resource resource : alive()) {
        resource.afterRestore(this);
      }
    }

    private List<Resource> alive() {
      return resources.stream().map(WeakReference::get).filter(Objects::nonNull).toList();
    }
  }
}
