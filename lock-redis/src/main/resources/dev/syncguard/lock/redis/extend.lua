-- KEYS index   ARGV id, ttl
local record, base, problem = follow(KEYS[1], ARGV[1])
if problem then return problem end
if not record then return base end
local ttl = tonumber(ARGV[2])
local lifetime = tostring(ttl + TOLERANCE_MS)
record.expiresAtMs = now + ttl
redis.call('SET', base, cjson.encode(record), 'PX', lifetime)
redis.call('PEXPIRE', KEYS[1], lifetime)
return {ARGV[1], record.expiresAtMs}
