-- Counts stored attempts again; attempts that are counted already are recognised by their ids.
-- KEYS: state, blocks, lock, then the domain, mailbox and network of each attempt (its mailbox without one).
-- ARGV: size of a block; the token that holds the lock, or none; whether this is the first part, and the last;
--   milliseconds to extend the lock by; a month and its credits known to be used (-1: unknown);
--   then the id, time, address, who and whether there is a network of each attempt, the oldest first.
-- Returns whether the caller still had the lock.
local token = ARGV[2]
if token ~= '' then
  if redis.call('GET', KEYS[3]) ~= token then return 0 end
  redis.call('PEXPIRE', KEYS[3], ARGV[5])
end
local size = tonumber(ARGV[1])
local state = redis.call('HMGET', KEYS[1], 'b', 'f')
local filled, forgotten = tonumber(state[1] or 0), tonumber(state[2] or 0)
if ARGV[3] == '1' then
  redis.call('DEL', KEYS[2])
  filled = 0
end
local place = 4
for index = 8, #ARGV, 5 do
  local domain, mailbox, network = KEYS[place], KEYS[place + 1], KEYS[place + 2]
  if ARGV[index + 4] == '0' then network = nil end
  local at = tonumber(ARGV[index + 1])
  local members = members_of(ARGV[index], ARGV[index + 3], domain, mailbox, network)
  local new = add_to_mailbox(mailbox, at, ARGV[index + 3], members) > 0
  -- A rebuild counts its blocks from zero.
  if new or token ~= '' then filled, forgotten = fill(KEYS[2], filled, size, at, forgotten) end
  if new then
    redis.call('ZADD', domain, 'GT', at, ARGV[index + 2])
    redis.call('ZADD', domain, 'LT', '-' .. at, members.voice)
    redis.call('PEXPIRE', domain, DAY_MS + HOUR_MS)
    redis.call('PEXPIRE', mailbox, DAY_MS)
    if network then
      redis.call('ZADD', network, at, members.of_network)
      redis.call('ZADD', network, 'LT', '-' .. at, members.person)
      redis.call('PEXPIRE', network, DAY_MS + HOUR_MS)
    end
  end
  place = place + 3
end
redis.call('HSET', KEYS[1], 'b', filled, 'f', forgotten)
if ARGV[4] == '1' then
  local month, used = ARGV[6], tonumber(ARGV[7])
  local credits = redis.call('HMGET', KEYS[1], 'k', 'c')
  local counted = credits[1] or ''
  if used >= 0 and (counted < month or counted == month and tonumber(credits[2]) < used) then
    redis.call('HSET', KEYS[1], 'k', month, 'c', used)
  end
  redis.call('HSET', KEYS[1], 'm', 1)
  redis.call('DEL', KEYS[3])
end
redis.call('PEXPIRE', KEYS[1], 2 * DAY_MS)
return 1
