-- The short way to a key that is free. Whatever is odd is undone, and found once more by the long way, which explains it.
--
-- KEYS lock, index, fence   ARGV id, ttl, user key, note if there is one
local text, id, ttl = redis.pcall('GET', KEYS[1]), ARGV[1], tonumber(ARGV[2])
if not text then
  -- As text, since the server turns a number into one each time.
  local lifetime = tostring(ttl + TOLERANCE_MS)
  if redis.call('SET', KEYS[2], KEYS[1], 'PX', lifetime, 'NX') then
    local number = redis.pcall('INCR', KEYS[3])
    local isNumber = type(number) == 'number'
    if isNumber and number >= 1 and number <= LAST_FENCE then
      local fence, expiresAtMs = string.format('%015d', number), now + ttl
      redis.call('SET', KEYS[1], spelled(id, fence, expiresAtMs, ARGV[3], ARGV[4]), 'PX', lifetime)
      return {id, fence, expiresAtMs, now}
    end
    if isNumber then redis.call('DECR', KEYS[3]) end
    redis.call('DEL', KEYS[2])
  end
end
