-- KEYS lock, index, fence   ARGV id, ttl, user key
local record, problem = read(KEYS[1])
if problem then return problem end
local id, ttl = ARGV[1], tonumber(ARGV[2])
if not record then return grant(KEYS, id, ttl, ARGV[3]) end
