-- Like acquire, but whoever is refused stays in line. A ticket is empty at the first attempt, and 0 when it got lost.
--
-- KEYS lock, index, fence   ARGV id, ttl, user key, channel, ticket, note if there is one
local SHORTEST_LOOK_MS, LONGEST_LOOK_MS = 5, 250
local record, problem = recordIn(redis.pcall('GET', KEYS[1]))
if problem then return problem end
local id, ttl, ticket = ARGV[1], tonumber(ARGV[2]), ARGV[5]
local line, member = lineOf(KEYS[1]), memberOf(ARGV[4], id)
local reservedFor = record and record.reservedFor
local isHeld = record and not reservedFor and isLive(record.expiresAtMs, now)
if isHeld and record.lockId == id then return grantAgain(KEYS[1], record) end

-- Whoever was called is no longer in line, and does not ask whether others are: the next release will see.
if reservedFor == id then return grant(KEYS, id, ttl, ARGV[3], true, ARGV[6]) end

if not isHeld and not reservedFor then
  if ticket == '' then return grant(KEYS, id, ttl, ARGV[3], false, ARGV[6]) end
  -- Who stands there is only read here: once a script has written, a server without memory lets it write anything, a new
  -- lock included.
  local first = redis.call('ZRANGE', line, 0, 1)
  local reply = grant(KEYS, id, ttl, ARGV[3], #first == 2 or (first[1] and first[1] ~= member), ARGV[6])
  if not reply.err then redis.call('ZREM', line, member) end
  return reply
end

-- Whoever missed its turn gets back to where its ticket belongs.
if ticket == '' or ticket == '0' then ticket = drawTicket() end
problem = stand(line, member, ticket)
if problem then return problem end
if isHeld and not record.line then
  record.line = true
  redis.call('SET', KEYS[1], cjson.encode(record), 'KEEPTTL')
end
local storedMs = redis.call('PTTL', KEYS[1])
if not isHeld then return {0, ticket, storedMs} end
local leftMs = record.expiresAtMs - now

-- What others store goes when their lease ends, and their releases call nobody. So look again after a tenth of the time for
-- which they have had it.
if storedMs < leftMs + TOLERANCE_MS / 2 then
  return {0, ticket, math.max(SHORTEST_LOOK_MS, math.min((now - record.acquiredAtMs) / 10, LONGEST_LOOK_MS))}
end
return {0, ticket, leftMs + TOLERANCE_MS}
