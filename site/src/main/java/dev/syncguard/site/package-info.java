/** The documentation as a site: the same Markdown files that one reads in the repository. */
@NullMarked
package dev.syncguard.site;

import org.jspecify.annotations.NullMarked;
