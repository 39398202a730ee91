-- Counts stored attempts again; attempts that are counted already are recognised by their ids.
-- KEYS: state, blocks, lock, then the domain, mailbox and network of each attempt (its mailbox without one).
-- ARGV: size of a block; the token that holds the lock, or none; whether this is the first part, and the last;
--   milliseconds to extend the lock by; a month and its credits known to be used (-1: unknown);
--   then the id, time, address, who, network as `larger_voice` reads it, whether it was answered with block, and whether its
--   address has a name, of each attempt, the oldest first.
-- Returns whether the caller still had the lock.
local token = ARGV[2]
if token ~= '' then
  if redis.call('GET', KEYS[3]) ~= token then return 0 end
  redis.call('PEXPIRE', KEYS[3], ARGV[5])
end
local size = tonumber(ARGV[1])
local state = redis.call('HMGET', KEYS[1], 'b', 'f', 't', 'x')
local filled, forgotten = tonumber(state[1] or 0), tonumber(state[2] or 0)
local last_blocked = tonumber(state[4] or 0)
local after = math.max(0, tonumber(state[3] or 0) - HOUR_MS)
-- What marks an attempt, and a voice that it gives its time to; and the other form, in which it may be counted already.
local function forms_of(members, blocked)
  if not blocked then return members, members.of_mailbox .. BLOCKED end
  return {
    of_network = members.of_network .. BLOCKED,
    of_mailbox = members.of_mailbox .. BLOCKED,
    person = blocked_entry(members.person),
    voice = blocked_entry(members.voice),
  }, members.of_mailbox
end

if ARGV[3] == '1' then
  redis.call('DEL', KEYS[2])
  filled = 0
end
local place = 4
for index = 8, #ARGV, 7 do
  local domain, mailbox, network = KEYS[place], KEYS[place + 1], KEYS[place + 2]
  if ARGV[index + 4] == '0' then network = nil end
  local at = tonumber(ARGV[index + 1])
  local members = members_of(ARGV[index], ARGV[index + 3], domain, mailbox, network, larger_voice(ARGV[index + 4]))
  local blocked = ARGV[index + 5] == '1'
  local named_at = named_text(at, not blocked and ARGV[index + 6] == '1')
  local own, other = forms_of(members, blocked)
  if blocked then last_blocked = math.max(last_blocked, at) end
  local known = redis.call('ZSCORE', mailbox, other)
  if known and blocked then mark_blocked(domain, mailbox, network, members, after) end
  local new = not known and add_to_mailbox(mailbox, at, named_at, ARGV[index + 3], own) > 0
  -- A rebuild counts its blocks from zero.
  if new or token ~= '' then filled, forgotten = fill(KEYS[2], filled, size, at, forgotten) end
  if new then
    redis.call('ZADD', domain, 'GT', at, ARGV[index + 2])
    local score = blocked and blocked_score(at) or '-' .. named_at
    redis.call('ZADD', domain, 'LT', score, own.voice)
    redis.call('PEXPIRE', domain, DAY_MS + HOUR_MS)
    redis.call('PEXPIRE', mailbox, DAY_MS)
    if network then
      redis.call('ZADD', network, named_at, own.of_network)
      redis.call('ZADD', network, 'LT', score, own.person)
      redis.call('PEXPIRE', network, DAY_MS + HOUR_MS)
    end
  end
  place = place + 3
end
redis.call('HSET', KEYS[1], 'b', filled, 'f', forgotten, 'x', text(last_blocked))
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
