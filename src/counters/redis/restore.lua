-- Counts stored attempts again; attempts that are counted already are recognised by their ids.
-- KEYS: state, blocks, lock, credits, then the domain, mailbox and network of each attempt (its mailbox without one).
-- ARGV: size of a block; the token that holds the lock, or none; whether this is the first part, and the last;
--   credits known to be used (-1: unknown); milliseconds to extend the lock by;
--   then the id, time, address, who and whether there is a network of each attempt, the oldest first.
-- Returns whether the caller still had the lock.
local token = ARGV[2]
if token ~= '' then
  if redis.call('GET', KEYS[3]) ~= token then return 0 end
  redis.call('PEXPIRE', KEYS[3], ARGV[6])
end
local size = tonumber(ARGV[1])
local state = redis.call('HMGET', KEYS[1], 'b', 'f')
local filled, forgotten = tonumber(state[1] or 0), tonumber(state[2] or 0)
if ARGV[3] == '1' then
  redis.call('DEL', KEYS[2])
  filled = 0
end
local place = 5
for index = 7, #ARGV, 5 do
  local domain, mailbox, network = KEYS[place], KEYS[place + 1], KEYS[place + 2]
  if ARGV[index + 4] == '0' then network = nil end
  local at = tonumber(ARGV[index + 1])
  local new = add(network, domain, mailbox, ARGV[index], at, ARGV[index + 2], ARGV[index + 3])
  -- A rebuild counts its blocks from zero.
  if new or token ~= '' then filled, forgotten = fill(KEYS[2], filled, size, at, forgotten) end
  if new then
    redis.call('PEXPIRE', domain, DAY_MS)
    redis.call('PEXPIRE', mailbox, DAY_MS)
    if network then redis.call('PEXPIRE', network, DAY_MS) end
  end
  place = place + 3
end
redis.call('HSET', KEYS[1], 'b', filled, 'f', forgotten)
if ARGV[4] == '1' then
  local used = tonumber(ARGV[5])
  if used > tonumber(redis.call('GET', KEYS[4]) or 0) then redis.call('SET', KEYS[4], used, 'PX', 32 * DAY_MS) end
  redis.call('HSET', KEYS[1], 'm', 1)
  redis.call('DEL', KEYS[3])
end
redis.call('PEXPIRE', KEYS[1], 2 * DAY_MS)
return 1
