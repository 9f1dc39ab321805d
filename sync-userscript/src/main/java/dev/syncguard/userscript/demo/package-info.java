/**
 * A small forum on this machine to try the userscript on, without an account and without a userscript manager.
 *
 * <p>{@link dev.syncguard.userscript.demo.DemoForum} serves it; what it stands in for is said on its front page.
 */
@NullMarked
package dev.syncguard.userscript.demo;

import org.jspecify.annotations.NullMarked;
