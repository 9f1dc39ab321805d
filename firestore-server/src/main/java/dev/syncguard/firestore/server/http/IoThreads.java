package dev.syncguard.firestore.server.http;

import com.linecorp.armeria.common.Flags;
import com.linecorp.armeria.common.util.EventLoopGroups;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.kqueue.KQueueIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Threads that serve sockets and end at once when they are told to. By default they would stay for two more seconds, in
 * case somebody still had work for them, and every test with a server of its own would wait for that.
 */
public final class IoThreads {
  private IoThreads() {}

  /** Returns so many threads, of the kind that suits this system. */
  public static EventLoopGroup create(String name, int count) {
    return switch (Flags.transportType()) {
      case EPOLL -> new PromptGroup(name, count, EpollIoHandler.newFactory());
      case KQUEUE -> new PromptGroup(name, count, KQueueIoHandler.newFactory());
      case NIO -> new PromptGroup(name, count, NioIoHandler.newFactory());
      // Whoever asks for another kind gets it, but not promptly.
      default -> EventLoopGroups.newEventLoopGroup(count, name);
    };
  }

  private static final class PromptGroup extends MultiThreadIoEventLoopGroup {
    PromptGroup(String name, int count, IoHandlerFactory handlers) {
      super(count, new DefaultThreadFactory(name, true), handlers);
    }

    @Override
    public Future<?> shutdownGracefully() {
      return shutdownGracefully(0, 10, TimeUnit.SECONDS);
    }
  }
}
