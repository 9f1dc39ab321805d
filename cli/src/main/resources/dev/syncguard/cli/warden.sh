# Lets a command begin, and stops it before its lease ends, even when syncguard has been killed, suspended or starved.
#
# Arguments: hundredths of a second between TERM and KILL; the first deadline; the file with the clock; the process to
# guard, if it has begun already under another warden.
# Deadlines are in hundredths of a second on the clock of /proc/uptime, which never jumps and counts while the machine
# sleeps. No order before the deadline means that syncguard no longer renews the lease, and is final.
#
# Otherwise it first prints the path of a named pipe, the gate, at which the command waits. Only "target" lets it through; if the
# warden ends before, the kernel closes the gate, and the command never begins.
#
# Orders come on standard input as "WORD DEADLINE [VALUE]", where DEADLINE is when the next one is due.
#   target D PID    this process waits at the gate: guard it and let it through
#   lease  D        the lease was confirmed
#   signal D NAME   pass a signal on to the command
#   stop   D        stop the command now
#   sweep  D        the command has ended: stop what it left behind
#   end    D        the command has ended, and that is all
# Exit code: 0 nothing was left to do, 3 stopped on order, 4 stopped, or never let through, for want of orders.
grace=$1
deadline=$2
uptime=$3
target=$4
trap '' HUP INT QUIT PIPE TERM USR1 USR2 TSTP TTIN TTOU

if [[ -z $target ]]; then
  room=$(umask 077 && mktemp -d "${TMPDIR:-/tmp}/syncguard-XXXXXX") || exit 1
  trap 'rm -rf "$room"' EXIT
  mkfifo "$room/gate" && exec 3<>"$room/gate" || exit 1
  echo "$room/gate"
fi

now() { # sets now
  if [[ -r $uptime ]]; then
    read -r now _ <"$uptime"
    now=$((10#${now/./}))
  else
    now=$(date +%s)00
  fi
}

members() { # prints who belongs to the command: its session, its process group, and their descendants
  if ! command -v ps >/dev/null || ! command -v awk >/dev/null; then
    if kill -s 0 -- "-$target" 2>/dev/null; then echo "-$target"; else echo "$target"; fi
    return
  fi
  ps -A -o pid=,ppid=,pgid=,sess=,stat= | awk -v top="$target" '
    $5 !~ /^Z/ { parent[$1] = $2; if ($1 == top || $3 == top || $4 == top) ours[$1] }
    END {
      for (pid in parent) {
        for (up = pid; up in parent && !(up in ours); up = parent[up]);
        if (up in ours) print pid
      }
    }'
}

forward() { # as a terminal does, to the process group; without one, to all
  kill -s "$1" -- "-$target" 2>/dev/null || kill -s "$1" -- $(members) 2>/dev/null
}

stop() {
  local family attempt
  family=$(members)
  kill -s TERM -- $family 2>/dev/null
  kill -s CONT -- $family 2>/dev/null # a suspended process could not even die
  now
  local end=$((now + grace))
  while kill -s 0 -- $family 2>/dev/null && ((now < end)); do
    sleep 0.05
    now
  done
  for attempt in {1..20}; do # whoever forks meanwhile is found the next time
    family+=" $(members)"
    kill -s KILL -- $family 2>/dev/null
    family=$(members)
    [[ -n $family ]] || return
  done
}

abandon() { # why
  [[ -n $target ]] || exit 4
  stop
  echo "syncguard: $1; stopping the command before the lease ends" >&2 # last, since nobody may read it
  exit 4
}

while :; do
  now
  ((now < deadline)) || abandon 'is suspended or too slow to renew its lease'
  # At most a second: read counts on the wall clock, which may jump.
  left=$((deadline - now < 100 ? deadline - now : 100))
  if ((BASH_VERSINFO[0] < 4)); then pause=1; else printf -v pause '%d.%02d' $((left / 100)) $((left % 100)); fi
  IFS=' ' read -r -t "$pause" word next value
  heard=$?
  ((heard <= 128)) || continue
  ((heard == 0)) || abandon 'was killed'
  case $word in
    end) exit 0 ;;
    sweep)
      stop
      exit 0
      ;;
    stop)
      [[ -z $target ]] || stop
      exit 3
      ;;
  esac
  now
  ((now < deadline)) || continue # too late
  deadline=$next
  case $word in
    target)
      target=$value
      echo go >&3
      ;;
    signal) forward "$value" ;;
  esac
done
