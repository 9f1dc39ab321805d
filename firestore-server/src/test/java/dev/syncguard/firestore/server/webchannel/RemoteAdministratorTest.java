package dev.syncguard.firestore.server.webchannel;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.listen.Listeners;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.operation.Operations;
import dev.syncguard.firestore.server.query.IndexCheck;
import dev.syncguard.firestore.server.rest.LocalAdministrator;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The token that everybody knows counts only on this machine, also where it comes inside of a body. */
@Timeout(60)
class RemoteAdministratorTest {
  private final WebChannels channels = new WebChannels(
      Operations.of(
          new Databases(name -> {
            throw new IllegalStateException("nobody gets here");
          }),
          Authorizer.ownerOnly(),
          IndexCheck.NONE,
          new SecureRandom()),
      new Listeners(InstantSource.system(), 1, 1 << 20),
      Runnable::run,
      new LocalAdministrator(false),
      1 << 20,
      new SecureRandom());

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, Bearer owner, true, true",
    "192.0.2.1, Bearer owner, false, true",
    "192.0.2.1, Bearer OWNER, true, true",
    "192.0.2.1, Bearer ya29.x, false, true",
    "192.0.2.1, '', true, false",
    "127.0.0.1, Bearer owner, true, false",
    "127.0.0.1, Bearer owner, false, false"
  })
  void somebodyOnAnotherMachineIsNotTheAdministrator(
      String peer, String token, boolean write, boolean refused) throws Exception {
    HttpRequest request = HttpRequest.of(
        HttpMethod.POST,
        "/channel?VER=8",
        MediaType.FORM_DATA,
        "headers=" + ChannelClient.encoded("Authorization:" + token + "\r\n") + "&count=0&ofs=0");
    ServiceRequestContext ctx = ServiceRequestContext.builder(request)
        .remoteAddress(new InetSocketAddress(peer, 1))
        .build();
    HttpService service = write ? channels.write() : channels.listen();
    assertThat(service.serve(ctx, request).aggregate().join().status().code()).isEqualTo(200);
    // Whoever is refused is told so, and nobody has fetched it yet.
    assertThat(channels.usedBytes() > 0).isEqualTo(refused);
  }
}
