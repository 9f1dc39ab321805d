package dev.syncguard.fence.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

class FenceInterceptorTest extends FenceOverHttpContract {

  @Override
  void install(Context context, Ledger ledger) {
    AnnotationConfigWebApplicationContext spring = new AnnotationConfigWebApplicationContext();
    spring.setServletContext(context.getServletContext());
    spring.addBeanFactoryPostProcessor(beans -> beans.registerSingleton("ledger", ledger));
    spring.register(Service.class, LedgerController.class);
    Tomcat.addServlet(context, "spring", new DispatcherServlet(spring)).setLoadOnStartup(1);
    context.addServletMappingDecoded("/", "spring");
  }

  @Configuration
  @EnableWebMvc
  static class Service implements WebMvcConfigurer {

    private final FenceInterceptor fences;

    Service(Ledger ledger) {
      fences = new FenceInterceptor(Ledger::resource, ledger::check);
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
      registry.addInterceptor(fences);
    }

    @Override
    public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
      resolvers.add(0, fences);
    }
  }

  @RestController
  static class LedgerController {

    private final Ledger ledger;

    LedgerController(Ledger ledger) {
      this.ledger = ledger;
    }

    @PutMapping("/ledger")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void put(HttpServletRequest request, @RequestBody String body) throws Exception {
      if (request.getQueryString() != null) {
        beOvertaken(ledger);
      }
      ledger.write(FenceFilter.fence(request).orElseThrow(), body);
    }

    @GetMapping("/ledger")
    String get() throws Exception {
      return ledger.read();
    }
  }
}
