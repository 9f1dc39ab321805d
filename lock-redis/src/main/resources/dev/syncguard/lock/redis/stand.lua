-- Joins a line.

-- Waiters look after their line each second; without them it goes.
local UNTENDED_MS = 5000

local function drawTicket()
  return time[1] .. string.format('%06d', time[2])
end

-- Returns a problem if there is one.
local function stand(line, member, ticket)
  local reply = redis.pcall('ZADD', line, 'NX', ticket, member)
  if type(reply) == 'table' then return problemOf(reply, 'line') end
  redis.call('PEXPIRE', line, UNTENDED_MS)
end
