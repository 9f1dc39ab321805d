package dev.syncguard.firestore.server.google;

import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.api.gax.rpc.TransportChannelProvider;
import com.google.cloud.firestore.FirestoreOptions;
import net.bytebuddy.asm.Advice;

/**
 * Lets Google's client read answers of any size from us, as it does from every server but an emulator, of which it takes
 * messages of at most 4 MiB.
 */
final class WideChannels {
  private WideChannels() {}

  static void install() {
    TracedChannels.advise(FirestoreOptions.class, "getTransportChannelProvider", Wide.class);
  }

  /** Copied into the end of the client's method, where what it assigns is what the caller gets. */
  private static final class Wide {
    @Advice.OnMethodExit
    @SuppressWarnings("UnusedVariable") // the caller's
    static void exit(@Advice.Return(readOnly = false) TransportChannelProvider channels) {
      channels = ((InstantiatingGrpcChannelProvider) channels)
          .toBuilder().setMaxInboundMessageSize(Integer.MAX_VALUE).build();
    }
  }
}
