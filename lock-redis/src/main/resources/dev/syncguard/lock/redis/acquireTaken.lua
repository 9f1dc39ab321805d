-- The rest of acquire, where there is a record: a lock, or a reservation for somebody.
local record, problem = recordIn(text)
if problem then return problem end
local isHeld = isLive(record.expiresAtMs, now) and not record.reservedFor
if isHeld and record.lockId == id then return grantAgain(KEYS[1], record) end
if not isHeld and (not record.reservedFor or record.reservedFor == id) then
  return grant(KEYS, id, ttl, ARGV[3], record.reservedFor, ARGV[4])
end

-- Where others wait in line, whoever merely asks from time to time would never find the lock free. So who asks a second
-- time, soon and with the same id, gets a place without a channel, and a reservation that lasts until its next question.
-- Nothing happens with the lock meanwhile, hence only one such place in a second. A server without memory grants no places,
-- which does not change the answer.
if record.line or record.reservedFor then
  local mark = KEYS[1] .. '\0poller'
  if redis.call('GET', mark) == id then
    stand(lineOf(KEYS[1]), memberOf('', id), drawTicket())
    redis.pcall('SET', mark, '', 'PX', 1000)
  else
    redis.pcall('SET', mark, id, 'NX', 'PX', 250)
  end
end
return 0
