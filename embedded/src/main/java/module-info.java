/**
 * PostgreSQL on a directory: started with a program, kept between runs, recovered after a crash.
 */
module dev.mintmark.embedded {
  requires java.sql;
  requires org.apache.commons.compress;
  requires org.tukaani.xz;
  requires static org.jspecify;

  exports dev.mintmark.embedded;
}
