-- Like acquire, but whoever is refused stays in line. A ticket is empty at the first attempt, and 0 when it got lost.
--
-- KEYS lock, index, fence   ARGV id, ttl, user key, channel, ticket
local record, problem = recordIn(redis.pcall('GET', KEYS[1]))
if problem then return problem end
local id, ttl, ticket = ARGV[1], tonumber(ARGV[2]), ARGV[5]
local line, member = lineOf(KEYS[1]), memberOf(ARGV[4], id)
local isHeld = record and isLive(record.expiresAtMs, now)
if isHeld and record.lockId == id then return {record.lockId, record.fence, record.expiresAtMs, now} end
local reservedFor = not isHeld and record and record.reservedFor

-- Whoever was called is no longer in line, and does not ask whether others are: the next release will see.
if reservedFor == id then return grant(KEYS, id, ttl, ARGV[3], true) end

if not isHeld and not reservedFor then
  local others = false
  if ticket ~= '' then
    redis.call('ZREM', line, member)
    others = redis.call('EXISTS', line) == 1
  end
  return grant(KEYS, id, ttl, ARGV[3], others)
end

-- Whoever missed its turn gets back to where its ticket belongs.
if ticket == '' or ticket == '0' then ticket = drawTicket() end
problem = stand(line, member, ticket)
if problem then return problem end
if isHeld and not record.line then
  record.line = true
  redis.call('SET', KEYS[1], cjson.encode(record), 'KEEPTTL')
end
return {0, ticket, isHeld and record.expiresAtMs + TOLERANCE_MS - now or redis.call('PTTL', KEYS[1])}
