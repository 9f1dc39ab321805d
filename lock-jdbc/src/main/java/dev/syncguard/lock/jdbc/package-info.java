/** Backends that keep locks in a relational database. */
@NullMarked
package dev.syncguard.lock.jdbc;

import org.jspecify.annotations.NullMarked;
