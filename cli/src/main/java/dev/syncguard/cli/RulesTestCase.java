package dev.syncguard.cli;

import dev.syncguard.rules.RulesRequest;
import dev.syncguard.rules.evaluation.RulesLookup;

/**
 * One case of a file with tests of rules.
 *
 * @param name what the file calls it, or its number
 * @param allowed what is expected
 * @param lookup the documents that the rules may ask for
 */
record RulesTestCase(String name, boolean allowed, RulesRequest request, RulesLookup lookup) {}
