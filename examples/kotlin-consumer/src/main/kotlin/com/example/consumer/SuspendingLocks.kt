package com.example.consumer

import dev.syncguard.lock.Lease
import dev.syncguard.lock.LockRequest
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.future.await
import kotlinx.coroutines.withContext

/**
 * Waits for the key without blocking a thread, runs [work] while holding it, and always releases it.
 *
 * A coroutine that is cancelled while it waits leaves no lock behind: `await` cancels the future. The release is not
 * cancellable, and blocks for a round trip, so it goes where blocking is allowed.
 */
suspend fun <T> LockRequest.use(work: suspend (Lease) -> T): T {
    val lease = acquireAsync().await()
    try {
        return work(lease)
    } finally {
        withContext(NonCancellable + Dispatchers.IO) { lease.close() }
    }
}
