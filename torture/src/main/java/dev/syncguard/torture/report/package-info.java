/** What a campaign found, as a page for people and as JSON for programs. */
@NullMarked
package dev.syncguard.torture.report;

import org.jspecify.annotations.NullMarked;
