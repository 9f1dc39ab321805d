-- In front of this stands isCleanable, the rule of all backends.
--
-- KEYS lock   Returns 0 free, 1 locked, 2 free and long dead.
local record, problem = recordIn(redis.pcall('GET', KEYS[1]))
if problem then return problem end
if not record or record.reservedFor then return 0 end
if isLive(record.expiresAtMs, now) then return 1 end
return isCleanable(record.expiresAtMs, now) and 2 or 0
