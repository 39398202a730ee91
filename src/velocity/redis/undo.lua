-- KEYS: state, domain, mailbox, network (absent without one). ARGV: id, address, who, the month of its credit, or none; its
--   network as `larger_voice` reads it.
local PAGE = 100
if ARGV[4] ~= '' then
  local credits = redis.call('HMGET', KEYS[1], 'k', 'c')
  if credits[1] == ARGV[4] and tonumber(credits[2]) > 0 then redis.call('HINCRBY', KEYS[1], 'c', -1) end
end
local domain, mailbox, network = KEYS[2], KEYS[3], KEYS[4]
local members = members_of(ARGV[1], ARGV[3], domain, mailbox, network, larger_voice(ARGV[5]))
if network then redis.call('ZREM', network, members.of_network, members.of_network .. BLOCKED) end
if redis.call('ZREM', mailbox, members.of_mailbox, members.of_mailbox .. BLOCKED) == 0 then return 0 end

-- Both entries of a mailbox of a network, or of a voice of a domain.
local function set_voice(key, voice, at, blocked_at)
  set_entry(key, voice, at and '-' .. at)
  set_entry(key, blocked_entry(voice), blocked_at and blocked_score(blocked_at))
end

-- Two functions: for attempts that were not blocked, and for those that were.
local function both(matches)
  return function(member) return not is_blocked(member) and matches(member) end,
    function(member) return is_blocked(member) and matches(string.sub(member, 1, -2)) end
end

local prefix = '#' .. ARGV[3] .. '|'
local place = '|' .. members.place .. '|'
local from_place, blocked_from_place = both(function(member) return string.find(member, place, 1, true) ~= nil end)
local wanted = { function(member) return string.sub(member, 1, #prefix) == prefix end }
if not network then wanted = { wanted[1], from_place, blocked_from_place } end
local found = newest_of(mailbox, 0, wanted, PAGE)
local youngest = found[1]
if youngest then
  redis.call('ZADD', mailbox, 'XX', '-' .. youngest, '@' .. ARGV[3])
  redis.call('ZADD', domain, 'XX', youngest, ARGV[2])
else
  redis.call('ZREM', mailbox, '@' .. ARGV[3])
  redis.call('ZREM', domain, ARGV[2])
end
if network then
  -- Mailboxes and voices are counted within the hour.
  local after = math.max(0, tonumber(redis.call('HGET', KEYS[1], 't') or 0) - HOUR_MS)
  local ends = { '|' .. name_of(mailbox) .. '|', '|' .. name_of(domain) }
  local of_person, blocked_of_person = both(function(member) return string.find(member, ends[1], 1, true) ~= nil end)
  local of_domain, blocked_of_domain = both(function(member) return string.sub(member, -#ends[2]) == ends[2] end)
  local of = newest_of(network, after, { of_person, blocked_of_person, of_domain, blocked_of_domain }, PAGE)
  set_voice(network, members.person, of[1], of[2])
  set_voice(domain, members.voice, of[3], of[4])
else
  set_voice(domain, members.voice, found[2], found[3])
end
return 1
