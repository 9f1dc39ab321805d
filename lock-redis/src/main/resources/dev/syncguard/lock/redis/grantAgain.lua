-- Repeats a grant whose reply was lost.

-- It writes, although nothing changes: from Redis 7.2 on WAIT asks for the writes of its own connection only, and would call
-- an answer confirmed that no replica has.
local function grantAgain(base, record)
  redis.call('PEXPIRE', base, tostring(record.expiresAtMs + TOLERANCE_MS - now))
  return {record.lockId, record.fence, record.expiresAtMs, now}
end
