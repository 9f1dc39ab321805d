package dev.syncguard.fence.web;

import dev.syncguard.lock.Fence;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
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
    Wrapper servlet = Tomcat.addServlet(context, "spring", new DispatcherServlet(spring));
    servlet.setLoadOnStartup(1);
    servlet.setAsyncSupported(true);
    context.addServletMappingDecoded("/", "spring");
  }

  @Configuration
  @EnableWebMvc
  static class Service implements WebMvcConfigurer {

    private final FenceInterceptor fences;
    private final FenceInterceptor archive;

    Service(Ledger ledger) {
      fences = new FenceInterceptor(Ledger::resource, ledger::check);
      archive = new FenceInterceptor(FenceOverHttpContract::archive, ledger::check);
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
      registry.addInterceptor(fences);
      registry.addInterceptor(archive);
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
    Object put(HttpServletRequest request, @RequestBody String body) throws Exception {
      Fence fence = FenceFilter.fence(request).orElseThrow();
      String query = request.getQueryString();
      Callable<ResponseEntity<Void>> write = () -> {
        handle(query, ledger, fence, body);
        return ResponseEntity.noContent().build();
      };
      return query != null && query.startsWith("async") ? write : write.call();
    }

    @GetMapping("/ledger")
    String get() throws Exception {
      return ledger.read();
    }
  }
}
