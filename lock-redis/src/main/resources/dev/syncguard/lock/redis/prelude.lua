-- What every script knows, apart from the constants LAST_FENCE and TOLERANCE_MS, which stand in front of all.
--
-- A function that can fail returns its result and a problem; a problem is an error reply for the script to return. The server
-- runs a script's text anew each time, and making a function costs as much as calling one. So a script is made of no more parts
-- than it uses, few functions each, and those that few calls need come last, behind the answer to all others. What nearly every call
-- does comes first of all, before there are any functions.

local function damaged(what)
  return redis.error_reply('SGDAMAGED ' .. what)
end

-- Tells a value of the wrong kind, which nobody but its author can explain, from a server that refuses to work.
local function problemOf(reply, what)
  for _, beginning in ipairs({'WRONGTYPE ', 'ERR value is not an integer', 'ERR increment or decrement would overflow'}) do
    if string.sub(reply.err, 1, #beginning) == beginning then return damaged(what) end
  end
  return reply
end
