package dev.syncguard.lock.springboot

import dev.syncguard.lock.Fence
import dev.syncguard.lock.Locks
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.GlobalScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** A bean whose locked methods are suspend functions. */
open class Suspending {

  @Locked(key = "'order:' + #id", waitUpTo = "1m")
  open suspend fun ship(id: Int, locks: Locks, fence: Fence?): Long {
    delay(5)
    check(locks.isLocked("order:$id")) { "The lock ended before the function did" }
    return fence!!.value
  }

  @Locked(name = "slow", waitUpTo = "0s", whenBusy = WhenBusy.SKIP)
  open suspend fun skipped(): String? = "done"

  @Locked(name = "slow", waitUpTo = "0s")
  open suspend fun impatient(): String = "done"

  @Locked(name = "slow")
  open suspend fun failing(): String {
    delay(5)
    throw IllegalStateException("no paper")
  }

  @Locked(name = "slow")
  open suspend fun endless(begun: CompletableDeferred<Unit>) {
    begun.complete(Unit)
    CompletableDeferred<Unit>().await()
  }
}

/** A bean whose lock would end before its flow is collected. */
open class SuspendedFlow {
  @Locked(name = "flow")
  open suspend fun work(): Flow<Int> = flowOf(1, 2, 3)
}

/** Calls suspend functions from Java. */
object Coroutines {
  @JvmStatic fun ship(bean: Suspending, id: Int, locks: Locks): Long = runBlocking { bean.ship(id, locks, null) }

  @JvmStatic fun skipped(bean: Suspending): String? = runBlocking { bean.skipped() }

  @JvmStatic fun impatient(bean: Suspending): String = runBlocking { bean.impatient() }

  @JvmStatic fun failing(bean: Suspending): String = runBlocking { bean.failing() }

  /** Starts a function that never ends by itself, and returns how to cancel it. */
  @JvmStatic
  @OptIn(kotlinx.coroutines.DelicateCoroutinesApi::class)
  fun endless(bean: Suspending): Runnable {
    val begun = CompletableDeferred<Unit>()
    val job: Job = GlobalScope.launch { bean.endless(begun) }
    runBlocking { begun.await() }
    return Runnable { runBlocking { job.cancel(); job.join() } }
  }
}
