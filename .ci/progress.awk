# Turns what Maven says into what a person wants to know: warnings, results of tests, and where it is.
# Modules run side by side, so each line names its module.

BEGIN { start = time() }

/^\[INFO\] Reactor Build Order/ { counting = 1 }
counting && /\[(jar|pom)\]$/ { modules++ }
/^\[INFO\] -+< / { counting = 0 }

/^\[INFO\] --- .*:compile .* @ syncguard-/ { say(module() ": compiling") }
/^\[INFO\] --- .*install.*:install .* @ syncguard-/ { say(module() ": built (" ++done " of " modules ")") }

# The lines behind a failure say why; without them a log from elsewhere tells nothing.
/<<< (FAILURE|ERROR)!$/ && !/Tests run:/ { reasons = 12 }
reasons && !/^\[/ { print; reasons-- }

/Tests run:/ || /^\[(WARNING|ERROR)\]/ || / (SUCCESS|FAILURE) \[/ || /SKIPPED$/ { print; fflush() }

function time(now) {
  "date +%s" | getline now
  close("date +%s")
  return now
}

function module(parts) {
  split($0, parts, "@ syncguard-")
  sub(/ .*/, "", parts[2])
  return parts[2]
}

function say(what, elapsed) {
  elapsed = time() - start
  printf "%2d:%02d  %s\n", elapsed / 60, elapsed % 60, what
  fflush()
}
