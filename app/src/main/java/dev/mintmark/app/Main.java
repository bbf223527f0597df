package dev.mintmark.app;

/** Stands where the command line will: prints the version. */
public final class Main {
  private Main() {}

  /** Prints the version of the program. */
  public static void main(String[] args) {
    System.out.println("mintmark " + Main.class.getPackage().getImplementationVersion());
  }
}
