-- KEYS index   ARGV id, ttl
local record, base, problem = follow(KEYS[1], ARGV[1])
if problem then return problem end
if not record then return base end
local ttl = tonumber(ARGV[2])
local lifetime = tostring(ttl + TOLERANCE_MS)
record.expiresAtMs = now + ttl
-- In this order: a server without memory refuses SET, but not in a script that has written something else before.
redis.call('PEXPIRE', KEYS[1], lifetime)
redis.call('SET', base, cjson.encode(record), 'PX', lifetime)
return {ARGV[1], record.expiresAtMs}
