-- Like acquire, but whoever is refused stays in line. A ticket is empty at the first attempt, and 0 when it got lost.
--
-- KEYS lock, index, fence   ARGV id, ttl, user key, channel, ticket, milliseconds that an untended line lasts
local record, problem = read(KEYS[1])
if problem then return problem end
local id, ttl, ticket = ARGV[1], tonumber(ARGV[2]), ARGV[5]
local line, member = lineOf(KEYS[1]), memberOf(ARGV[4], id)
local lookAgainMs

if record and isLive(record.expiresAtMs, now) then
  if record.lockId == id then return grantedBefore(KEYS, record) end
  lookAgainMs = record.expiresAtMs + TOLERANCE_MS - now
  if not record.line then
    record.line = true
    redis.call('SET', KEYS[1], cjson.encode(record), 'KEEPTTL')
  end
elseif record and record.reservedFor and record.reservedFor ~= id then
  lookAgainMs = redis.call('PTTL', KEYS[1])
else
  local others = record and record.reservedFor
  if ticket ~= '' then
    redis.call('ZREM', line, member)
    others = redis.call('EXISTS', line) == 1
  end
  return grant(KEYS, id, ttl, ARGV[3], others)
end

-- Whoever missed its turn gets back to where its ticket belongs.
if ticket == '' or ticket == '0' then
  ticket = time[1] .. string.format('%06d', time[2])
end
redis.call('ZADD', line, 'NX', ticket, member)
redis.call('PEXPIRE', line, ARGV[6])
return {0, ticket, lookAgainMs}
