/**
 * The page that takes over {@code /reader}: {@link dev.syncguard.userscript.page.PowerReader} decides what to show, the
 * others show it.
 *
 * <p>TeaVM compiles this package. A browser has one thread, so nothing here is shared.
 */
@NullMarked
package dev.syncguard.userscript.page;

import org.jspecify.annotations.NullMarked;
