/** The userscript as a file: {@link dev.syncguard.userscript.Userscript}. */
@NullMarked
package dev.syncguard.userscript;

import org.jspecify.annotations.NullMarked;
