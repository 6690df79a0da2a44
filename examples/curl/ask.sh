# To be read by the other scripts. CANDELA_URL says where the service is, CANDELA_KEY is a key.
set -euo pipefail
url=${CANDELA_URL:-http://127.0.0.1:8080}

# A request whose error text is printed as well. `Prefer` has the service wait for candles that it fetches for the first
# time; --retry waits for the next window of the rate limit, as long as Retry-After says.
ask() {
  local path=$1
  shift
  curl --silent --show-error --fail-with-body --retry 3 --header "Authorization: Bearer ${CANDELA_KEY:-}" \
    --header 'Prefer: wait=10' "$@" "$url$path"
}
