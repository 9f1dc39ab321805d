/** What callers saw of a store under load, and a judge over it. */
@NullMarked
package dev.syncguard.lock.testkit.history;

import org.jspecify.annotations.NullMarked;
