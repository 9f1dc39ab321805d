/**
 * What a device stores, shared by its tabs: {@link dev.syncguard.sync.local.LocalStore} and the agreements between tabs
 * that have no locks.
 */
@NullMarked
package dev.syncguard.sync.local;

import org.jspecify.annotations.NullMarked;
