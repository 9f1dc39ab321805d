-- In front of this stands isCleanable, the rule of all backends.
--
-- KEYS lock   ARGV what index keys begin with, or nothing to leave dead records alone
local record, problem = recordIn(redis.pcall('GET', KEYS[1]))
if problem then return problem end
if not record or record.reservedFor then return 0 end
if isLive(record.expiresAtMs, now) then return 1 end
if ARGV[1] ~= '' and isCleanable(record.expiresAtMs, now) then
  redis.pcall('DEL', KEYS[1], ARGV[1] .. record.lockId)
end
return 0
