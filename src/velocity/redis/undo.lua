-- KEYS: state, domain, mailbox, network (absent without one). ARGV: id, address, who, the month of its credit, or none.
local PAGE = 100
if ARGV[4] ~= '' then
  local credits = redis.call('HMGET', KEYS[1], 'k', 'c')
  if credits[1] == ARGV[4] and tonumber(credits[2]) > 0 then redis.call('HINCRBY', KEYS[1], 'c', -1) end
end
local domain, mailbox, network = KEYS[2], KEYS[3], KEYS[4]
local members = members_of(ARGV[1], ARGV[3], domain, mailbox, network)
if network then redis.call('ZREM', network, members.of_network) end
if redis.call('ZREM', mailbox, members.of_mailbox) == 0 then return 0 end

-- Looks through the attempts of a key after a time, newest first, until each of the wanted ones was found. Returns their
-- times.
local function newest_of(key, after, wanted)
  local found, missing, from = {}, #wanted, 0
  repeat
    local page = redis.call('ZREVRANGEBYSCORE', key, '+inf', '(' .. after, 'WITHSCORES', 'LIMIT', from, PAGE)
    for entry = 1, #page, 2 do
      for which = 1, #wanted do
        if not found[which] and wanted[which](page[entry]) then
          found[which] = page[entry + 1]
          missing = missing - 1
        end
      end
    end
    from = from + PAGE
  until missing == 0 or #page < 2 * PAGE
  return found
end

-- A mailbox or a voice keeps the time of its newest attempt.
local function set_voice(key, voice, at)
  if at then
    redis.call('ZADD', key, 'XX', '-' .. at, voice)
  else
    redis.call('ZREM', key, voice)
  end
end

local prefix = '#' .. ARGV[3] .. '|'
local place = '|' .. members.place .. '|'
local found = newest_of(mailbox, 0, {
  function(member) return string.sub(member, 1, #prefix) == prefix end,
  network and function() return true end or function(member) return string.find(member, place, 1, true) ~= nil end,
})
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
  local after = tonumber(redis.call('HGET', KEYS[1], 't') or 0) - HOUR_MS
  local ends = { '|' .. name_of(mailbox) .. '|', '|' .. name_of(domain) }
  local of = newest_of(network, math.max(0, after), {
    function(member) return string.find(member, ends[1], 1, true) ~= nil end,
    function(member) return string.sub(member, -#ends[2]) == ends[2] end,
  })
  set_voice(network, members.person, of[1])
  set_voice(domain, members.voice, of[2])
else
  set_voice(domain, members.voice, found[2])
end
return 1
