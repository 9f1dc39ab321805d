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

room=$(umask 077 && mktemp -d "${TMPDIR:-/tmp}/syncguard-XXXXXX") || exit 1
trap 'rm -rf "$room"' EXIT
mkfifo "$room/gate" && exec 3<>"$room/gate" || exit 1
[[ -n $target ]] || echo "$room/gate"

now() { # sets now
  if [[ -r $uptime ]]; then
    read -r now _ <"$uptime"
    now=$((10#${now/./}))
  else
    now=$(date +%s)00
  fi
}

# From here on nothing starts another process where there is /proc: there may be no room for one, and that may be why we
# have to stop the command.

note() { # PID STATE PPID PGID SESSION
  [[ $2 != Z* ]] || return
  parent[$1]=$3
  [[ $1 != "$target" && $4 != "$target" && $5 != "$target" ]] || ours[$1]=yes
}

members() { # sets family: who belongs to the command: its session, its process group, and their descendants
  local -a parent=() ours=()
  local file line pid up
  family=
  if [[ -r /proc/self/stat ]]; then
    for file in /proc/[0-9]*/stat; do
      line=
      { IFS= read -r -d '' line <"$file"; } 2>/dev/null
      [[ -z $line ]] || note "${line%% *}" ${line##*) } # between the two is a name, in brackets
    done
  elif command -v ps >/dev/null; then
    while read -r line; do note $line; done < <(ps -A -o pid=,stat=,ppid=,pgid=,sess=)
  else
    if kill -s 0 -- "-$target" 2>/dev/null; then family=-$target; else family=$target; fi
  fi
  for pid in "${!parent[@]}"; do
    for ((up = pid; up > 0; up = ${parent[up]:-0})); do
      if [[ -n ${ours[up]:-} ]]; then
        family+=" $pid"
        break
      fi
    done
  done
}

forward() { # as a terminal does, to the process group; without one, to all
  if ! kill -s "$1" -- "-$target" 2>/dev/null; then
    members
    kill -s "$1" -- $family 2>/dev/null
  fi
}

nap() {
  if ((BASH_VERSINFO[0] < 4)); then sleep 0.05; else read -r -t 0.05 <&3; fi
}

stop() {
  local family known attempt
  members
  kill -s TERM -- $family 2>/dev/null
  kill -s CONT -- $family 2>/dev/null # a suspended process could not even die
  now
  local end=$((now + grace))
  while kill -s 0 -- $family 2>/dev/null && ((now < end)); do
    nap
    now
  done
  known=$family
  for attempt in {1..20}; do # whoever forks meanwhile is found the next time
    members
    known+=" $family"
    kill -s KILL -- $known 2>/dev/null
    members
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
