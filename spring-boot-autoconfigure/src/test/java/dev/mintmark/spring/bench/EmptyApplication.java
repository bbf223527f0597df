package dev.mintmark.spring.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Starts, prints its wall clock and processor time since the JVM began, in ms, and ends. */
@EnableAutoConfiguration
@Configuration(proxyBeanMethods = false)
public class EmptyApplication {
  public static void main(String[] arguments) {
    ConfigurableApplicationContext application =
        SpringApplication.run(
            EmptyApplication.class,
            "--server.port=0",
            "--spring.main.banner-mode=off",
            "--logging.level.root=off",
            "--spring.flyway.enabled=false",
            "--spring.liquibase.enabled=false",
            "--spring.datasource.url=jdbc:postgresql://localhost:1/none");
    long wall = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
    long processor =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    System.out.printf("started %d %d%n", wall, processor / 1_000_000);
    application.close();
  }
}
