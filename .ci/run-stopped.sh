# What .ci/record-run records: each line that begins with $ is run as it stands.
set -euo pipefail

place=$(mktemp -d)
export SYNCGUARD_STORE=sqlite:$place/locks.db
trap 'kill -CONT "$job" 2>/dev/null; kill "$job" 2>/dev/null; wait; rm -rf "$place"' EXIT
cat >"$place/report.sh" <<'SCRIPT'
trap 'echo "report: told to stop after page $page"; exit 143' TERM
for page in {1..99}; do
  echo "report: page $page, fence $((10#$SYNCGUARD_FENCE))"
  echo $page >"${BASH_SOURCE[0]%/*}/page"
  sleep 1 &
  wait $!
done
SCRIPT
report=$place/report.sh

show() {
  echo "\$ ${1//\$report/./report.sh}"
}

show './syncguard run nightly --ttl 8s -- bash $report &'
./syncguard run nightly --ttl 8s -- bash "$report" 2>&1 &
job=$!
until [[ $(cat "$place/page" 2>/dev/null) == 3 ]]; do sleep 0.1; done
echo '# now syncguard itself hangs: nobody can renew the lease'
show 'kill -STOP $job'
kill -STOP "$job"
show './syncguard run nightly --wait 1m -- sh -c '\''echo "the next one, fence $SYNCGUARD_FENCE"'\'''
./syncguard run nightly --wait 1m -- sh -c 'echo "the next one, fence $SYNCGUARD_FENCE"' 2>&1
