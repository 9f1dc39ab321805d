-- KEYS index   ARGV id, ttl
local record, base, problem = follow(KEYS[1], ARGV[1])
if problem then return problem end
if not record then return base end
local ttl = tonumber(ARGV[2])
record.expiresAtMs = now + ttl
store(base, record, ttl)
redis.call('PEXPIRE', KEYS[1], ttl + TOLERANCE_MS)
return {1, record.expiresAtMs}
