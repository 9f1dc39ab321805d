# Becomes the command that is given as arguments as soon as the warden says so through the pipe $0, and never if the
# warden has ended. Opening the pipe for both directions first keeps us from waiting for somebody who is gone.
shopt -s execfail
{ exec 8<>"$0" 9<"$0" 8>&- && read -r <&9; } 2>/dev/null || {
  echo 'syncguard: the process that guards the command has ended, so the command was not started' >&2
  exit 70
}
rm -rf "${0%/*}" # the warden may be killed before it can
exec 9<&-
exec -- "$@"
