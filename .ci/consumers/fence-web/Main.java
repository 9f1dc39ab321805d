// needs jakarta.servlet:jakarta.servlet-api:6.1.0
import dev.syncguard.fence.web.FenceFilter;
import java.util.Optional;

/** Without Spring, which only the interceptor needs. */
final class Main {
  public static void main(String[] args) {
    FenceFilter filter = new FenceFilter(request -> Optional.of("account"), (resource, fence) -> {});
    System.out.println(filter.getClass().getSimpleName().equals("FenceFilter") ? "works" : "odd name");
  }
}
