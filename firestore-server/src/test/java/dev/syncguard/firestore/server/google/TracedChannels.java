package dev.syncguard.firestore.server.google;

import com.google.api.core.ApiFunction;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.api.gax.rpc.TransportChannelProvider;
import com.google.auth.Credentials;
import com.google.cloud.ServiceOptions;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.cloud.firestore.telemetry.TraceUtil;
import io.grpc.ManagedChannelBuilder;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * Lets Google's client trace its calls to us. When it is told of an emulator, it makes a channel without the interceptor that
 * makes a span of each call, and forgets which credentials it uses. Its tracing tests look for both.
 */
@SuppressWarnings("rawtypes") // as the client declares its channels
public final class TracedChannels {
  private TracedChannels() {}

  static void install() {
    advise(FirestoreOptions.class, "getTransportChannelProvider", TracedChannel.class);
    advise(ServiceOptions.class, "getCredentials", KnownCredentials.class);
  }

  /** Adds to one method of a class that is not ours, in this process only. */
  static void advise(Class<?> type, String method, Class<?> advice) {
    ByteBuddyAgent.install();
    new ByteBuddy()
        .redefine(type)
        .visit(Advice.to(advice).on(ElementMatchers.named(method)))
        .make()
        .load(type.getClassLoader(), ClassReloadingStrategy.fromInstalledAgent());
  }

  /** Copied into the end of the client's method, where what it assigns is what the caller gets. */
  private static final class TracedChannel {
    @Advice.OnMethodExit
    @SuppressWarnings("UnusedVariable") // the caller's
    static void exit(
        @Advice.This FirestoreOptions options,
        @Advice.Return(readOnly = false) TransportChannelProvider channels) {
      // As FirestoreOptions does it for every other server; and plain text, as it does for
      // emulators.
      ApiFunction<ManagedChannelBuilder, ManagedChannelBuilder> spans =
          TraceUtil.getInstance(options).getChannelConfigurator();
      if (spans != null) {
        channels = ((InstantiatingGrpcChannelProvider) channels)
            .toBuilder().setChannelConfigurator(new PlainText(spans)).build();
      }
    }
  }

  private static final class KnownCredentials {
    @Advice.OnMethodExit
    @SuppressWarnings("UnusedVariable") // the caller's
    static void exit(@Advice.Return(readOnly = false) Credentials credentials) {
      if (credentials == null) {
        credentials = new FirestoreOptions.EmulatorCredentials();
      }
    }
  }

  /** Configures a channel as told, without TLS. */
  public record PlainText(ApiFunction<ManagedChannelBuilder, ManagedChannelBuilder> other)
      implements ApiFunction<ManagedChannelBuilder, ManagedChannelBuilder> {
    @Override
    public ManagedChannelBuilder apply(ManagedChannelBuilder channel) {
      return other.apply(channel.usePlaintext());
    }
  }
}
