-- KEYS: state, domain, mailbox, network (absent without one). ARGV: id, address, who, the month of its credit, or none.
local PAGE = 100
if ARGV[4] ~= '' then
  local credits = redis.call('HMGET', KEYS[1], 'k', 'c')
  if credits[1] == ARGV[4] and tonumber(credits[2]) > 0 then redis.call('HINCRBY', KEYS[1], 'c', -1) end
end
if KEYS[4] then redis.call('ZREM', KEYS[4], ARGV[1]) end
local prefix = '#' .. ARGV[3] .. '|'
if redis.call('ZREM', KEYS[3], prefix .. ARGV[1]) == 0 then return 0 end

local youngest
local from = 0
repeat
  local page = redis.call('ZREVRANGEBYSCORE', KEYS[3], '+inf', '(0', 'WITHSCORES', 'LIMIT', from, PAGE)
  for place = 1, #page, 2 do
    if not youngest and string.sub(page[place], 1, #prefix) == prefix then youngest = page[place + 1] end
  end
  from = from + PAGE
until youngest or #page < 2 * PAGE
if youngest then
  redis.call('ZADD', KEYS[3], 'XX', '-' .. youngest, '@' .. ARGV[3])
  redis.call('ZADD', KEYS[2], 'XX', youngest, ARGV[2])
else
  redis.call('ZREM', KEYS[3], '@' .. ARGV[3])
  redis.call('ZREM', KEYS[2], ARGV[2])
end
return 1
