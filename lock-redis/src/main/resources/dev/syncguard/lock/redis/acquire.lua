-- KEYS lock, index, fence   ARGV id, ttl, user key
local record, problem = read(KEYS[1])
if problem then return problem end
local id, ttl = ARGV[1], tonumber(ARGV[2])

if record then
  local isHeld = isLive(record.expiresAtMs, now)
  if isHeld and record.lockId == id then return answer(record) end
  if isHeld or record.reservedFor and record.reservedFor ~= id then
    if record.line or record.reservedFor then rememberPoller(KEYS[1], id) end
    return 0
  end
end
return grant(KEYS, id, ttl, ARGV[3], record and record.reservedFor)
