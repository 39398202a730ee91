-- Marks an attempt as answered with block.
-- KEYS: state, domain, mailbox, network (absent without one). ARGV: id, who, its network as `larger_voice` reads it.
-- Returns 0 where it is counted no more, or is marked already.
local domain, mailbox, network = KEYS[2], KEYS[3], KEYS[4]
local state = redis.call('HMGET', KEYS[1], 't', 'x')
local after = math.max(0, tonumber(state[1] or 0) - HOUR_MS)
local members = members_of(ARGV[1], ARGV[2], domain, mailbox, network, larger_voice(ARGV[3]))
local at = mark_blocked(domain, mailbox, network, members, after)
if at <= tonumber(state[2] or 0) then return at > 0 and 1 or 0 end
redis.call('HSET', KEYS[1], 'x', text(at))
redis.call('PEXPIRE', KEYS[1], 2 * DAY_MS)
return 1
