/**
 * What the sync engine needs of the world, from a browser with a userscript manager.
 *
 * <p>TeaVM compiles this package. JavaScript stays in one-line bodies that only pass things through; whatever decides
 * something is Java. A browser has one thread, so nothing here is shared.
 */
@NullMarked
package dev.syncguard.userscript.browser;

import org.jspecify.annotations.NullMarked;
