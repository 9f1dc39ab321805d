-- Calls the next in line.

-- Calls the first who can be reached, and returns whether there was one. On a cluster the server cannot tell. A line
-- that is none counts as empty: a release must not fail for its sake.
local function callFirst(base, record, reserveMs, canTell)
  local line = lineOf(base)
  while true do
    local first = redis.pcall('ZPOPMIN', line)
    if not first[1] then return false end
    local channel, id = string.match(first[1], '^(.*) (.-)$')
    local isReached = channel == '' or redis.call('PUBLISH', channel, id) > 0 or not canTell
    if isReached and id ~= record.lockId then
      -- After odd fences it looks like a live lock to those who do not know reservations, after even ones like a dead one: so
      -- neither they nor those in line can take every turn.
      local expiresAtMs = string.byte(record.fence, -1) % 2 * now
      local reservation = {
        lockId = '', key = record.key, fence = record.fence, acquiredAtMs = 0, expiresAtMs = expiresAtMs, reservedFor = id
      }
      redis.call('SET', base, cjson.encode(reservation), 'PX', reserveMs)
      return true
    end
  end
end
