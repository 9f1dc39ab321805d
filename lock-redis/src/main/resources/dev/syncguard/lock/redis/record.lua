-- Understands what is stored under a lock key. In front of this stands isLive, the rule of all backends.

-- NaN fails both comparisons.
local function isTime(ms)
  return type(ms) == 'number' and ms >= 0 and ms < 2 ^ 53
end

-- Returns the record that a reply of the server contains, or nil if there is none.
local function recordIn(text)
  if not text then return nil end
  if type(text) == 'table' then return nil, problemOf(text, 'lock') end
  local isJson, record = pcall(cjson.decode, text)
  local isOurs = isJson and type(record) == 'table' and type(record.lockId) == 'string' and type(record.key) == 'string'
    and type(record.fence) == 'string' and #record.fence == 15 and not string.find(record.fence, '%D')
    and isTime(record.acquiredAtMs) and isTime(record.expiresAtMs)
  if not isOurs then return nil, damaged('lock') end
  return record
end
