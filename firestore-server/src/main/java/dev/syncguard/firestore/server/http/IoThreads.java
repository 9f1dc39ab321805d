package dev.syncguard.firestore.server.http;

import com.linecorp.armeria.common.Flags;
import com.linecorp.armeria.common.util.EventLoopGroups;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.kqueue.KQueueIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Threads that serve sockets and end at once when they are told to. By default they would stay for two more seconds, in
 * case somebody still had work for them, and every test with a server of its own would wait for that.
 */
public final class IoThreads {
  private IoThreads() {}

  /**
   * Returns so many threads, of the kind that suits this system.
   *
   * @param newcomers is given each channel that gets one of the threads, by whoever accepted it
   */
  public static EventLoopGroup create(String name, int count, Consumer<Channel> newcomers) {
    return switch (Flags.transportType()) {
      case EPOLL -> new PromptGroup(name, count, newcomers, EpollIoHandler.newFactory());
      case KQUEUE -> new PromptGroup(name, count, newcomers, KQueueIoHandler.newFactory());
      case NIO -> new PromptGroup(name, count, newcomers, NioIoHandler.newFactory());
      // Whoever asks for another kind gets it, but not promptly.
      default -> EventLoopGroups.newEventLoopGroup(count, name);
    };
  }

  private static final class PromptGroup extends MultiThreadIoEventLoopGroup {
    private final Consumer<Channel> newcomers;

    PromptGroup(String name, int count, Consumer<Channel> newcomers, IoHandlerFactory handlers) {
      super(count, new DefaultThreadFactory(name, true), handlers);
      this.newcomers = newcomers;
    }

    @Override
    public ChannelFuture register(Channel channel) {
      ChannelFuture registered = super.register(channel);
      newcomers.accept(channel);
      return registered;
    }

    @Override
    public Future<?> shutdownGracefully() {
      return shutdownGracefully(0, 10, TimeUnit.SECONDS);
    }
  }
}
