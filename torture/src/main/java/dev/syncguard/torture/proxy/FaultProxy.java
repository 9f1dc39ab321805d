package dev.syncguard.torture.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Stands between a client and its server and loses what it is told to lose. It knows nothing of what they say.
 *
 * <p>All that a client sends until the server answers counts as one request. Requests are counted over all connections,
 * from 1, and {@link #failAt} says which one goes wrong and how. Listens on a free port of the loopback interface. Threads
 * may share it.
 */
public final class FaultProxy implements Network, AutoCloseable {

  /** What happens to a request. */
  public enum Failure {
    /** The connection is cut before the server sees the request. */
    CUT_BEFORE,
    /** The server does what it was asked for; the connection is cut in place of its answer. */
    CUT_AFTER,
    /** The server does what it was asked for, but its answer does not come until {@link #close()} or {@link #cutAll()}. */
    STALL,
    /** The connection is cut, and the server sees the request only after a delay. */
    DELIVER_LATE
  }

  private static final int BUFFER_BYTES = 16 * 1024;
  private static final int CONNECT_MILLIS = 10_000;
  private static final Duration ENOUGH_TO_ANSWER = Duration.ofSeconds(1);

  private final ServerSocket listening;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private InetSocketAddress server;
  private int requests;
  private int target;
  private Failure failure = Failure.CUT_BEFORE;
  private Duration delay = Duration.ofMillis(30);
  private boolean refusing;
  private boolean silent;
  private Duration slowness = Duration.ZERO;
  private int repeats;

  private FaultProxy(InetSocketAddress server) throws IOException {
    this.server = server;
    this.listening = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    start("accept", this::accept);
  }

  /** Returns a proxy for the server at this address. */
  public static FaultProxy to(String host, int port) throws IOException {
    return new FaultProxy(new InetSocketAddress(host, port));
  }

  /** Returns the port to connect to, on the loopback interface. */
  public int port() {
    return listening.getLocalPort();
  }

  /** Counts requests from 1 again and lets the given one go wrong; 0 lets all of them through. */
  public synchronized void failAt(int request, Failure how) {
    requests = 0;
    target = request;
    failure = how;
  }

  @Override
  public void loseNextRequest() {
    failAt(1, Failure.CUT_BEFORE);
  }

  @Override
  public void loseNextReply() {
    failAt(1, Failure.CUT_AFTER);
  }

  @Override
  public synchronized void delayNextRequest(Duration by) {
    delay = by;
    failAt(1, Failure.DELIVER_LATE);
  }

  private synchronized Duration delay() {
    return delay;
  }

  /** Returns how many requests there were since {@link #failAt}. */
  public synchronized int requests() {
    return requests;
  }

  @Override
  public synchronized boolean hasFailed() {
    return target > 0 && requests >= target;
  }

  /** Returns whether a request that was cut off from its client has not been answered by the server yet. */
  public boolean isDelivering() {
    return links.stream().anyMatch(link -> link.late);
  }

  @Override
  public void breakDown() {
    synchronized (this) {
      refusing = true;
    }
    cutAll();
  }

  @Override
  public void fallSilent() {
    synchronized (this) {
      silent = true;
    }
    silenceAll();
  }

  @Override
  public void heal() {
    boolean wasSilent;
    synchronized (this) {
      refusing = false;
      wasSilent = silent;
      silent = false;
    }
    if (wasSilent) {
      cutAll();
    }
  }

  @Override
  public void cutAll() {
    links.forEach(Link::cut);
  }

  /** Lets no answer come any more on the connections that there are, as if the other side had vanished without a word. */
  public void silenceAll() {
    links.forEach(Link::silence);
  }

  /** Leads to another server of this machine from now on, as an address does that moves with the primary; cuts what there is. */
  public void redirect(int port) {
    synchronized (this) {
      server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
    cutAll();
  }

  private synchronized InetSocketAddress server() {
    return server;
  }

  /** Lets every answer take so much longer from now on. */
  public synchronized void slowDown(Duration by) {
    slowness = by;
  }

  private synchronized Duration slowness() {
    return slowness;
  }

  /** Sends each of the next answers twice, as no network of ours would: for a proof that this is noticed. */
  public synchronized void repeatAnswers(int count) {
    repeats = count;
  }

  private synchronized boolean isRepeated() {
    if (repeats == 0) {
      return false;
    }
    repeats--;
    return true;
  }

  private synchronized boolean isRefusing() {
    return refusing;
  }

  private synchronized boolean isSilent() {
    return silent;
  }

  private synchronized boolean isNextToFail() {
    requests++;
    return requests == target;
  }

  private synchronized Failure failure() {
    return failure;
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, "fault-proxy-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        new Link(listening.accept()).open();
      } catch (IOException e) {
        // Closed, or the server is away: the client sees a cut connection either way.
      }
    }
  }

  /** One connection of a client, continued to the server. */
  private final class Link {
    private final Socket client;
    private final Socket upstream = new Socket();
    private boolean answered = true;
    private boolean losesAnswer;
    private boolean stalled;
    private volatile boolean late;

    Link(Socket client) {
      this.client = client;
    }

    void open() throws IOException {
      // First of all, so that whoever cuts all connections after a change of rules meets it here,
      // or it obeys the new rules.
      links.add(this);
      try {
        if (isRefusing()) {
          cut();
          return;
        }
        if (isSilent()) {
          silence();
        }
        client.setTcpNoDelay(true);
        upstream.setTcpNoDelay(true);
        upstream.connect(server(), CONNECT_MILLIS);
        start("request", () -> pump(client, upstream, true));
        start("answer", () -> pump(upstream, client, false));
      } catch (IOException e) {
        cut();
        throw e;
      }
    }

    private void pump(Socket from, Socket to, boolean isRequest) {
      byte[] buffer = new byte[BUFFER_BYTES];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
          if (!(isRequest ? letRequestPass() : letAnswerPass())) {
            break;
          }
          if (late) {
            FaultProxy.close(client);
            sleep(delay());
          }
          if (!isRequest) {
            sleep(slowness());
          }
          out.write(buffer, 0, length);
          if (!isRequest && isRepeated()) {
            out.write(buffer, 0, length);
          }
          if (late) {
            sleep(ENOUGH_TO_ANSWER);
          }
        }
      } catch (IOException e) {
        // The other side is gone; so are we.
      } finally {
        cut();
      }
    }

    private synchronized boolean letRequestPass() {
      boolean isNew = answered;
      answered = false;
      if (!isNew || !isNextToFail()) {
        return true;
      }
      if (failure() == Failure.CUT_BEFORE) {
        return false;
      }
      losesAnswer = true;
      stalled = failure() == Failure.STALL;
      late = failure() == Failure.DELIVER_LATE;
      return true;
    }

    private synchronized boolean letAnswerPass() {
      boolean interrupted = false;
      while (stalled) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      answered = true;
      return !losesAnswer;
    }

    synchronized void silence() {
      losesAnswer = true;
      stalled = true;
    }

    void cut() {
      links.remove(this);
      synchronized (this) {
        stalled = false;
        notifyAll();
      }
      close(client);
      close(upstream);
    }
  }

  private static void sleep(Duration duration) {
    try {
      TimeUnit.MILLISECONDS.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more either way.
    }
  }

  /** Cuts all connections and listens no longer. */
  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      // Nobody listens any more either way.
    }
    cutAll();
  }
}
