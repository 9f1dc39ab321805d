# Stops a command before its lease ends, even when syncguard itself has been killed, suspended or starved.
#
# Arguments: seconds between TERM and KILL; seconds until the first order is due.
# Orders come on standard input as "WORD SECONDS [VALUE]", where SECONDS is how long to wait for the next one. No order
# in time means that syncguard no longer renews the lease.
#   target S PID    guard this process and its descendants, or this process group if negative
#   lease  S        the lease was confirmed
#   signal S NAME   pass a signal on to the command
#   stop   S        stop the command now
#   sweep  S        the command has ended: stop what is left of its process group
#   end    S        the command has ended, and that is all
# Exit code: 0 nothing was left to do, 3 stopped on order, 4 stopped for want of orders.
grace=$1
patience=$2
target=
leader=
outcome=4
trap '' HUP INT QUIT TERM USR1 USR2 TSTP TTIN TTOU

members() {
  if [[ $target == -* ]]; then
    echo "$target"
  else
    ps -A -o pid=,ppid= 2>/dev/null | awk -v top="$target" '
      { parent[$1] = $2 }
      END {
        print top
        for (pid in parent) {
          for (up = parent[pid]; up > 1 && up != top; up = parent[up]);
          if (up == top) print pid
        }
      }' || echo "$target"
  fi
}

send() { # a command that has just started may not lead its group yet: then the signal is for itself
  kill -s "$1" -- $(members) 2>/dev/null || kill -s "$1" -- $leader 2>/dev/null
}

while :; do
  if ((BASH_VERSINFO[0] < 4)); then # knows whole seconds only
    patience=${patience%.*}
    ((patience > 0)) || patience=1
  fi
  IFS=' ' read -r -t "$patience" word patience value
  heard=$?
  if ((heard != 0)); then
    [[ -n $target ]] || exit 0
    if ((heard > 128)); then why='is suspended or too slow to renew its lease'; else why='was killed'; fi
    echo "syncguard: $why; stopping the command before the lease ends" >&2
    break
  fi
  case $word in
    target)
      target=$value
      leader=${value#-}
      ;;
    signal) send "$value" ;;
    stop)
      outcome=3
      break
      ;;
    sweep)
      leader=
      outcome=0
      break
      ;;
    end) exit 0 ;;
  esac
done

family=$(members)
send TERM
send CONT # a suspended command could not even die
sleep "$grace" &
timer=$!
disown # or bash would announce its death
while kill -s 0 -- $family 2>/dev/null && kill -s 0 $timer 2>/dev/null; do sleep 0.05; done
if kill -s 0 -- $family 2>/dev/null; then
  kill -s KILL -- $family $(members) 2>/dev/null
fi
kill -s KILL $timer 2>/dev/null
exit "$outcome"
