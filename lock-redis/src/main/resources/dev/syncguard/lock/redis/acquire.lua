-- KEYS lock, index, fence   ARGV id, ttl, user key
local record, problem = read(KEYS[1])
if problem then return problem end
local id, ttl = ARGV[1], tonumber(ARGV[2])

-- Where others wait in line, whoever merely asks from time to time would never find the lock free. So who asks a second
-- time, soon and with the same id, gets a place without a channel, and a reservation that lasts until its next question.
-- Nothing happens with the lock meanwhile, hence only one such place in a second.
local function rememberPoller(base)
  local mark = base .. '\0poller'
  if redis.call('GET', mark) == id then
    stand(lineOf(base), memberOf('', id), drawTicket())
    redis.call('SET', mark, '', 'PX', 1000)
  else
    redis.call('SET', mark, id, 'NX', 'PX', 250)
  end
end

if record then
  local isHeld = isLive(record.expiresAtMs, now)
  if isHeld and record.lockId == id then return answer(record) end
  if isHeld or record.reservedFor and record.reservedFor ~= id then
    if record.line or record.reservedFor then rememberPoller(KEYS[1]) end
    return 0
  end
end
return grant(KEYS, id, ttl, ARGV[3], record and record.reservedFor)
