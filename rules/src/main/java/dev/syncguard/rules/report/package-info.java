/** Shows people what rules did: which expressions were evaluated, and what they came to. */
@NullMarked
package dev.syncguard.rules.report;

import org.jspecify.annotations.NullMarked;
