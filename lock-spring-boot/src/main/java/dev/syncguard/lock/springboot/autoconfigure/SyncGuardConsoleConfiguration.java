package dev.syncguard.lock.springboot.autoconfigure;

import dev.syncguard.console.Console;
import dev.syncguard.console.ConsoleServlet;
import dev.syncguard.lock.spi.LockBackend;
import jakarta.servlet.Servlet;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;

/**
 * Serves the console on the port of the actuator, if the application has the module and sets a token for it. Who sets the
 * token knows the address; so no log has to tell it.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnClass({Servlet.class, ConsoleServlet.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean({LockBackend.class, SyncGuardProperties.class})
@ConditionalOnProperty("syncguard.console.token")
public class SyncGuardConsoleConfiguration {

  @Bean
  @ConditionalOnMissingBean
  Console syncguardConsole(LockBackend backend, SyncGuardProperties properties) {
    SyncGuardProperties.Console settings = properties.console();
    return Console.builder()
        .locks(backend, backend.capabilities().backend())
        .token(String.valueOf(settings.token()))
        .admin(settings.admin())
        .allowHosts(settings.hosts().toArray(String[]::new))
        .build();
  }

  @Bean
  ServletRegistrationBean<ConsoleServlet> syncguardConsoleServlet(
      Console console, SyncGuardProperties properties) {
    ServletRegistrationBean<ConsoleServlet> servlet = new ServletRegistrationBean<>(
        new ConsoleServlet(console), properties.console().path() + "/*");
    servlet.setName("syncguardConsole");
    return servlet;
  }
}
