-- The short way to give back a lease whose key is known and which nobody waits for. A record that is spelled as we spell it is kept
-- for exactly as long as it is live, so whoever finds it need not ask for the time.
--
-- KEYS index, and the lock if it is known   ARGV id, milliseconds of a reservation, whether the server can tell who listens
if KEYS[2] then
  local text, beginning = redis.pcall('GET', KEYS[2]), '{"lockId":"' .. ARGV[1] .. '","fence":"'
  if type(text) == 'string' and string.sub(text, 1, #beginning) == beginning and not string.find(text, '"line":', 1, true) then
    redis.call('DEL', KEYS[1], KEYS[2])
    return ARGV[1]
  end
end
