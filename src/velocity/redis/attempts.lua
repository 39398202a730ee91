-- The sorted sets that velocity counts, by time: the attempts of a network, and its mailboxes (scores below 0); the
-- addresses of a domain, and its voices (scores below 0); the addresses (scores below 0) and attempts (scores above 0) of a
-- mailbox. What is no attempt has the time of its newest one. So an undone attempt leaves its address, its mailbox and its
-- voice with the newest remaining attempt, and an attempt that is sent twice is recognised by its id.
local HOUR_MS = 3600000
local DAY_MS = 86400000
local BLOCKS = 64
-- An entry of each network and domain, below all times: the hour of the newest attempt.
local HOUR_MARK = '!'
-- Characters of a domain's, mailbox's or network's name that tell it from the others of an account.
local NAME = 12
-- Behind the account come the kind of a key and a colon.
local NAME_START = string.find(KEYS[1], '}', 1, true) + 3

local function name_of(key) return string.sub(key, NAME_START, NAME_START + NAME - 1) end

-- The members that an attempt has in its sorted sets: `place` is its network, or its domain if it has none.
local function members_of(id, who, domain, mailbox, network)
  local place = network and name_of(network) or '*' .. name_of(domain)
  return {
    place = place,
    of_network = id .. '|' .. name_of(mailbox) .. '|' .. name_of(domain),
    of_mailbox = '#' .. who .. '|' .. place .. '|' .. id,
    person = '~' .. name_of(mailbox),
    voice = '~' .. name_of(network or mailbox),
  }
end

local function hour_of(at) return math.floor(at / HOUR_MS) end

-- A whole number as text. Left to the server, this takes more time than many a command.
local function text(number) return string.format('%d', number) end

-- Sets the expiry of a key that has none, because it is new; returns whether it was.
local function expire_new(key, ttl)
  -- Redis 6 does not have this number, nor NX.
  if redis.REDIS_VERSION_NUM then return redis.call('PEXPIRE', key, ttl, 'NX') == 1 end
  if redis.call('PTTL', key) >= 0 then return false end
  redis.call('PEXPIRE', key, ttl)
  return true
end

-- Returns how many entries that are new: none if the attempt was there, two if it is the first of its address.
local function add_to_mailbox(mailbox, at, who, members)
  return redis.call('ZADD', mailbox, 'LT', '-' .. at, '@' .. who, at, members.of_mailbox)
end

-- After the clock was set back: removes future times, which would otherwise count for too long.
local function drop_future(network, domain, mailbox, at)
  redis.call('ZREMRANGEBYSCORE', mailbox, '(' .. at, '+inf')
  redis.call('ZREMRANGEBYSCORE', mailbox, '-inf', '(-' .. at)
  for _, key in ipairs({ domain, network or nil }) do
    redis.call('ZREMRANGEBYSCORE', key, '(' .. at, '+inf')
    redis.call('ZREMRANGEBYSCORE', key, '-inf', '(-' .. at)
  end
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
