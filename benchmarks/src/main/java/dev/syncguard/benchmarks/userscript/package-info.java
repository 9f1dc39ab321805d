/** What the userscript costs a reader's browser. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.benchmarks.userscript;
