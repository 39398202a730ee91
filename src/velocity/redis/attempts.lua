-- The sorted sets that velocity counts, by time: the attempts of a network, and its mailboxes (scores below 0); the
-- addresses of a domain, and its voices (scores below 0); the addresses (scores below 0) and attempts (scores above 0) of a
-- mailbox. What is no attempt has the time of its newest one. So an undone attempt leaves its address, its mailbox and its
-- voice with the newest remaining attempt, and an attempt that is sent twice is recognised by its id.
-- An attempt that was answered with block has a mark behind it. A mailbox of a network or a voice of a domain has the time of
-- its newest attempt without one, and, as another entry below all voices, the time of its newest one with a mark.
-- An attempt whose address has a name as people have them, and was not answered with block, has a time half a millisecond
-- earlier in the sets of its network and mailbox, and its voice in that of its domain: this changes no window, because all
-- other times are whole.
local HOUR_MS = 3600000
local DAY_MS = 86400000
local BLOCKS = 64
-- An entry of each network and domain, below all times: the hour of the newest attempt.
local HOUR_MARK = '!'
-- Behind an attempt that was answered with block.
local BLOCKED = '!'
-- Between a voice with attempts that were not blocked and the entry of those that were: their scores are 0 less this, less
-- the time.
local BLOCKED_SCORES = 4000000000000000
local LEAST_VOICE = '-4000000000000000'
-- The same as in velocity-event.ts.
local MAX_TRACED = 128
-- Latest attempts of a network, or voices of a domain, that say what all have in common: to read them with their scores takes
-- longer than all else. Of a network with many people, few say first whether they have the domain in common at all.
local MAX_COMPARED = 32
local FIRST_COMPARED = 8
local MANY_PEOPLE = 20
-- Characters of a domain's, mailbox's or network's name that tell it from the others of an account.
local NAME = 12
-- Behind the account come the kind of a key and a colon.
local NAME_START = string.find(KEYS[1], '}', 1, true) + 3

local function name_of(key) return string.sub(key, NAME_START, NAME_START + NAME - 1) end

-- The members that an attempt has in its sorted sets: `place` is the name of its network's voice, or its domain if it has no
-- network. `larger`: the name of that voice where it is not the network itself, or none. A voice has an entry of a domain for
-- each of its networks, so that each of them knows its own time.
local function members_of(id, who, domain, mailbox, network, larger)
  local place = network and (larger or name_of(network)) or '*' .. name_of(domain)
  return {
    place = place,
    of_network = id .. '|' .. name_of(mailbox) .. '|' .. name_of(domain),
    of_mailbox = '#' .. who .. '|' .. place .. '|' .. id,
    person = '~' .. name_of(mailbox),
    voice = '~' .. (larger or '') .. name_of(network or mailbox),
  }
end

-- What a script is told of an attempt's network: 0 without one, 1 where it is its own voice, or else the name of its voice.
local function larger_voice(argument) return #argument > 1 and argument or nil end

-- The name of the voice that an entry of a domain belongs to.
local function voice_of(entry) return string.sub(entry, 2, 1 + NAME) end

local function is_blocked(member) return string.sub(member, -1) == BLOCKED end

local function hour_of(at) return math.floor(at / HOUR_MS) end

-- A whole number as text. Left to the server, this takes more time than many a command.
local function text(number) return string.format('%d', number) end

-- The time of an attempt in the sets where it says whether it is named; and whether a score does.
local function named_text(at, named) return named and text(at - 1) .. '.5' or text(at) end
local function is_named(score) return string.sub(score, -2) == '.5' end

-- The entry of a voice's blocked attempts, and its score for a time.
local function blocked_entry(voice) return '^' .. string.sub(voice, 2) end
local function blocked_score(at) return '-' .. text(BLOCKED_SCORES + at) end

-- Sets the expiry of a key that has none, because it is new; returns whether it was.
local function expire_new(key, ttl)
  -- Redis 6 does not have this number, nor NX.
  if redis.REDIS_VERSION_NUM then return redis.call('PEXPIRE', key, ttl, 'NX') == 1 end
  if redis.call('PTTL', key) >= 0 then return false end
  redis.call('PEXPIRE', key, ttl)
  return true
end

-- Returns how many entries that are new: none if the attempt was there, two if it is the first of its address.
local function add_to_mailbox(mailbox, at, named_at, who, members)
  return redis.call('ZADD', mailbox, 'LT', '-' .. at, '@' .. who, named_at, members.of_mailbox)
end

-- After the clock was set back: removes future times, which would otherwise count for too long.
local function drop_future(network, domain, mailbox, at)
  redis.call('ZREMRANGEBYSCORE', mailbox, '(' .. at, '+inf')
  redis.call('ZREMRANGEBYSCORE', mailbox, '-inf', '(-' .. at)
  for _, key in ipairs({ domain, network or nil }) do
    redis.call('ZREMRANGEBYSCORE', key, '(' .. at, '+inf')
    redis.call('ZREMRANGEBYSCORE', key, LEAST_VOICE, '(-' .. at)
    redis.call('ZREMRANGEBYSCORE', key, '-inf', '(' .. blocked_score(at))
  end
end

-- Looks through the attempts of a key after a time, newest first, a page at a time, until each of the wanted ones was found.
-- Returns their times.
local function newest_of(key, after, wanted, page_size, max_pages)
  local found, missing, pages = {}, #wanted, 0
  repeat
    local page = redis.call('ZREVRANGEBYSCORE', key, '+inf', '(' .. after, 'WITHSCORES', 'LIMIT', pages * page_size, page_size)
    for entry = 1, #page, 2 do
      for which = 1, #wanted do
        if not found[which] and wanted[which](page[entry]) then
          found[which] = page[entry + 1]
          missing = missing - 1
        end
      end
    end
    pages = pages + 1
  until missing == 0 or #page < 2 * page_size or pages == max_pages
  return found
end

-- Gives an entry the time of its newest attempt; without one it goes.
local function set_entry(key, entry, score)
  if score then
    redis.call('ZADD', key, 'XX', score, entry)
  else
    redis.call('ZREM', key, entry)
  end
end

-- Marks an attempt as answered with block. `after`: an hour before the account's latest time. Of a busy network, its latest
-- attempts alone say whether a voice has others. Returns the time of the attempt, or 0 if there is none without a mark.
local function mark_blocked(domain, mailbox, network, members, after)
  local at = math.ceil(tonumber(redis.call('ZSCORE', mailbox, members.of_mailbox) or 0))
  if at == 0 then return at end
  -- First the new one: a key without members would go, and its expiry with it.
  redis.call('ZADD', mailbox, text(at), members.of_mailbox .. BLOCKED)
  redis.call('ZREM', mailbox, members.of_mailbox)
  local score = blocked_score(at)
  local voice
  if network then
    if not redis.call('ZSCORE', network, members.of_network) then return at end
    redis.call('ZADD', network, text(at), members.of_network .. BLOCKED)
    redis.call('ZREM', network, members.of_network)
    local ends = { '|' .. name_of(mailbox) .. '|', '|' .. name_of(domain) }
    local of = newest_of(network, after, {
      function(member) return not is_blocked(member) and string.find(member, ends[1], 1, true) ~= nil end,
      function(member) return string.sub(member, -#ends[2]) == ends[2] end,
    }, MAX_TRACED, 1)
    voice = of[2]
    redis.call('ZADD', network, 'LT', score, blocked_entry(members.person))
    set_entry(network, members.person, of[1] and '-' .. of[1])
  else
    local place = '|' .. members.place .. '|'
    voice = newest_of(mailbox, after, {
      function(member) return not is_blocked(member) and string.find(member, place, 1, true) ~= nil end,
    }, MAX_TRACED, 1)[1]
  end
  -- A key that has expired is not made again: it would have no expiry.
  if redis.call('EXISTS', domain) == 0 then return at end
  redis.call('ZADD', domain, 'LT', score, blocked_entry(members.voice))
  set_entry(domain, members.voice, voice and '-' .. voice)
  return at
end

-- An account's attempts are counted in blocks; once it holds BLOCKS of them, the oldest is forgotten.
-- Returns the number of attempts in the open block, and the time up to which all is forgotten.
local function fill(blocks, filled, size, at, forgotten)
  filled = filled + 1
  if filled < size then return filled, forgotten end
  if redis.call('RPUSH', blocks, at) >= BLOCKS then forgotten = math.max(forgotten, tonumber(redis.call('LPOP', blocks))) end
  redis.call('PEXPIRE', blocks, 2 * DAY_MS)
  return 0, forgotten
end
