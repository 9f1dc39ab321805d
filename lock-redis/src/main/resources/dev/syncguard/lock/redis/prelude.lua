-- What every script starts with. In front of this stand isLive and isCleanable, the rules of all backends, and the
-- constants LAST_FENCE and TOLERANCE_MS.
--
-- A function that can fail returns its result and a problem; a problem is an error reply for the script to return. The server
-- runs a script's text anew each time, and making a function costs as much as calling one. So a script is made of no more parts
-- than it uses, and those that few calls need come last, behind the answer to all others.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

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

-- NaN fails both comparisons.
local function isTime(ms)
  return type(ms) == 'number' and ms >= 0 and ms < 2 ^ 53
end

-- Returns the record under a lock key, or nil if there is none.
local function read(base)
  local text = redis.pcall('GET', base)
  if not text then return nil end
  if type(text) == 'table' then return nil, problemOf(text, 'lock') end
  local isJson, record = pcall(cjson.decode, text)
  local isOurs = isJson and type(record) == 'table' and type(record.lockId) == 'string' and type(record.key) == 'string'
    and type(record.fence) == 'string' and #record.fence == 15 and not string.find(record.fence, '%D')
    and isTime(record.acquiredAtMs) and isTime(record.expiresAtMs)
  if not isOurs then return nil, damaged('lock') end
  return record
end
