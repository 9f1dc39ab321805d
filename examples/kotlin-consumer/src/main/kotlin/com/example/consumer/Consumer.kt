package com.example.consumer

import dev.syncguard.lock.Locks
import dev.syncguard.lock.jdbc.SqliteLockBackend
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.util.concurrent.ConcurrentHashMap
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** A payment for an account. */
data class Payment(val account: String, val amount: Int)

/** Reads, waits and writes: two at once on the same account would lose a payment. */
class Ledger {
    private val balances = ConcurrentHashMap<String, Int>()

    suspend fun book(payment: Payment) {
        val before = balance(payment.account)
        delay(5) // A database is asked here, and others get their turn.
        balances[payment.account] = before + payment.amount
    }

    fun balance(account: String): Int = balances[account] ?: 0
}

/** Takes payments from the queue, one account at a time; there may be as many of these as you like, also on other machines. */
suspend fun consume(payments: Channel<Payment>, locks: Locks, ledger: Ledger) {
    for (payment in payments) {
        locks.lock("account:${payment.account}").waitUpTo(Duration.ofMinutes(1)).use { ledger.book(payment) }
    }
}

fun main() = runBlocking {
    val directory = Files.createDirectories(Path.of("target", "consumer"))
    SqliteLockBackend.open(directory.resolve("locks.db")).use { backend ->
        Locks.over(backend).use { locks ->
            val ledger = Ledger()
            val payments = Channel<Payment>()
            coroutineScope {
                repeat(8) { launch { consume(payments, locks, ledger) } }
                repeat(100) { payments.send(Payment(account = if (it % 4 == 0) "ann" else "bob", amount = 1)) }
                payments.close()
            }
            println("ann: ${ledger.balance("ann")}, bob: ${ledger.balance("bob")}, and no payment was lost")
            check(ledger.balance("ann") == 25 && ledger.balance("bob") == 75)
        }
    }
}
