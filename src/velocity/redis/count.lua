-- Counts attempts of one account that came together through one bucket, in their order. The account's state is read and
-- written once for all of them.
-- KEYS: blocks of the bucket's window, state, blocks, then the domain, mailbox and network of each attempt (its mailbox
--   without one).
-- ARGV: bucket, length of the window (0 for none), requests it admits, month, cap (-1 for none), size of a block, whether to
--   count in an account that is not marked as complete; then of each attempt: its time, credits known to be used, whether
--   that number is exact, id, address, which of the mailbox's addresses it is, its network as `larger_voice` reads it (2:
--   it is in no count), and whether its address has a name.
-- Returns one text, which a node reads faster than lists, with a part for each attempt, divided by commas: admitted,
--   remaining, retry at; credit (0 unknown, 1 reserved, 2 refused); if nothing was refused, whether the attempt was counted
--   (2: it is in no count); if it was, network 1 h and 24 h, domain 1 h and 24 h, mailbox 24 h, whether partial, mailboxes of
--   the network, voices of the domain, own and other voices of the mailbox; then how many of each of these four are blocked;
--   then how many of the network's mailboxes are of the attempt's domain, how many have names, and how many of the domain's
--   voices do.
local KEYS, ARGV, call = KEYS, ARGV, redis.call
local COMMON_KEYS, COMMON_ARGUMENTS = 3, 7
local ATTEMPT_KEYS, ATTEMPT_ARGUMENTS = 3, 8
local first, between, last = 'h' .. ARGV[1], 'n' .. ARGV[1], 'l' .. ARGV[1]
local windowMs, admits, month, cap = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])
local blockSize = tonumber(ARGV[6])
-- The account's latest time, attempts in the open block, the time up to which all is forgotten, the time until which
-- counts are partial, the mark of a complete account, until when keys may contain future times because the clock was
-- set back; the month whose credits are counted, and how many are used; the window; when an attempt was counted last
-- that was answered with block.
local state = call('HMGET', KEYS[2], 't', 'b', 'f', 'p', 'm', 'u', 'k', 'c', first, between, last, 'x')
local before = tonumber(state[1] or 0)
local newest, filled, forgotten = before, tonumber(state[2] or 0), tonumber(state[3] or 0)
local partialUntil, dropUntil = tonumber(state[4] or 0), tonumber(state[6] or 0)
local counts = state[5] or ARGV[7] == '1'
local countedMonth, countedCredits = state[7] or '', tonumber(state[8] or 0)
local window = window_of(state[9], state[10], state[11])
local last_blocked = tonumber(state[12] or 0)
-- Fields of the state whose values are new.
local changed = {}

-- Removes what is older than a day, or than what the account remembers, and voices that are silent since then, and renews
-- the expiry. Returns whether the key is new.
local function renew(key, ttl, below, above, silent)
  if expire_new(key, ttl) then return true end
  call('PEXPIRE', key, ttl)
  call('ZREMRANGEBYSCORE', key, below, above)
  call('ZREMRANGEBYSCORE', key, '-' .. text(silent), '(0')
  call('ZREMRANGEBYSCORE', key, blocked_score(silent), '(' .. LEAST_VOICE)
  return false
end

-- The same as in velocity-event.ts.
local NETWORK_BURST, DOMAIN_BURST, MAILBOX_BURST = 5, 6, 3

-- Of so many of those that were compared, how many of all.
local function share_of(some, compared, all)
  if compared == 0 or compared >= all then return some end
  return math.floor(some * all / compared + 0.5)
end

-- Returns how many voices of a domain there are after a time, how many of them are blocked, and how many have names. Of the
-- voice that asks, each network counts. The latest entries alone are looked at.
local function voices_of_domain(key, time, own)
  local seen, heard, blocked, named = {}, 0, 0, 0
  local function is_new(entry)
    local voice = voice_of(entry)
    if voice == own then voice = string.sub(entry, 2) end
    if seen[voice] then return false end
    seen[voice] = true
    return true
  end
  local before = '(-' .. text(time)
  local entries = call('ZRANGEBYSCORE', key, LEAST_VOICE, before, 'WITHSCORES', 'LIMIT', 0, MAX_COMPARED)
  for entry = 1, #entries, 2 do
    if is_new(entries[entry]) then
      heard = heard + 1
      if is_named(entries[entry + 1]) then named = named + 1 end
    end
  end
  if #entries == 2 * MAX_COMPARED then
    local compared = heard
    for _, entry in ipairs(call('ZRANGEBYSCORE', key, LEAST_VOICE, before, 'LIMIT', MAX_COMPARED, MAX_TRACED - MAX_COMPARED)) do
      if is_new(entry) then heard = heard + 1 end
    end
    named = share_of(named, compared, heard)
  end
  if last_blocked > time then
    for _, entry in ipairs(call('ZRANGEBYSCORE', key, '-inf', '(' .. blocked_score(time), 'LIMIT', 0, MAX_TRACED)) do
      if is_new(entry) then blocked = blocked + 1 end
    end
  end
  return heard + blocked, blocked, named
end

-- Of so many mailboxes of a network: how many have a domain, and how many have names.
local function alike(key, time, heard, domain)
  local seen, people, own, named = {}, 0, 0, 0
  local function compare(first, count)
    local members = call('ZREVRANGEBYSCORE', key, '+inf', '(' .. text(time), 'WITHSCORES', 'LIMIT', first, count)
    for entry = 1, #members, 2 do
      local person, at = string.match(members[entry], '|([^|]*)|([^|]*)$')
      -- A blocked one has a mark behind its domain.
      if not is_blocked(at) and not seen[person] then
        seen[person] = true
        people = people + 1
        if at == domain then own = own + 1 end
        if is_named(members[entry + 1]) then named = named + 1 end
      end
    end
  end
  compare(0, heard > MANY_PEOPLE and FIRST_COMPARED or MAX_COMPARED)
  if heard > MANY_PEOPLE and 2 * own >= people then compare(FIRST_COMPARED, MAX_COMPARED - FIRST_COMPARED) end
  return share_of(own, people, heard), share_of(named, people, heard)
end

-- Returns how many mailboxes of a network there are after a time, and how many of them are blocked.
local function people_after(key, time)
  local heard = call('ZCOUNT', key, LEAST_VOICE, '(-' .. text(time))
  local blocked = 0
  if last_blocked <= time then return heard, blocked end
  for _, entry in ipairs(call('ZRANGEBYSCORE', key, '-inf', '(' .. blocked_score(time), 'LIMIT', 0, MAX_TRACED)) do
    local score = call('ZSCORE', key, '~' .. string.sub(entry, 2))
    if not score or -tonumber(score) <= time then blocked = blocked + 1 end
  end
  return heard + blocked, blocked
end

-- Returns how many addresses of the mailbox came from this place, how many other places there are, and how many of each are
-- blocked.
local function voices_of_mailbox(mailbox, place, day)
  local here, seen = string.sub(place, 1, 1) == '*' and '*' or place, {}
  local all, blocked = { own = 0, others = 0 }, { own = 0, others = 0 }
  for _, member in ipairs(call('ZREVRANGEBYSCORE', mailbox, '+inf', '(' .. day, 'LIMIT', 0, MAX_TRACED)) do
    local who, from = string.match(member, '^#(.*)|([^|]*)|[^|]*$')
    if who then
      if string.sub(from, 1, 1) == '*' then from = '*' end
      local voice = from == here and '#' .. who or from
      local kind = from == here and 'own' or 'others'
      if seen[voice] == nil then
        seen[voice] = is_blocked(member)
        all[kind] = all[kind] + 1
        if seen[voice] then blocked[kind] = blocked[kind] + 1 end
      elseif seen[voice] and not is_blocked(member) then
        seen[voice] = false
        blocked[kind] = blocked[kind] - 1
      end
    end
  end
  return all.own, all.others, blocked.own, blocked.others
end

-- Of an attempt that nothing refuses. Returns the text of its counts.
local function count(at, place, argument)
  local id, address, who = ARGV[argument + 3], ARGV[argument + 4], ARGV[argument + 5]
  local domain, mailbox = KEYS[place], KEYS[place + 1]
  local network = ARGV[argument + 6] ~= '0' and KEYS[place + 2]
  if newest > at + CLOCK_STEP_MS then
    dropUntil = at + DAY_MS + SLACK_MS
    partialUntil = math.min(partialUntil, at + DAY_MS)
    changed.u, changed.p = text(dropUntil), text(partialUntil)
  else
    at = math.max(at, newest)
  end
  newest = at
  local atText = text(at)
  local namedText = named_text(at, ARGV[argument + 7] == '1')
  if at < dropUntil then drop_future(network, domain, mailbox, atText) end
  local members = members_of(id, who, domain, mailbox, network, larger_voice(ARGV[argument + 6]))
  local added = add_to_mailbox(mailbox, atText, namedText, who, members)
  if added > 0 then filled, forgotten = fill(KEYS[3], filled, blockSize, atText, forgotten) end
  if forgotten > at then forgotten = 0 end
  local day, ttl = at - DAY_MS, DAY_MS
  -- How much longer than needed a key lives that is renewed once an hour. Where something is forgotten, it is always renewed.
  local spare = HOUR_MS
  local always = forgotten > day - HOUR_MS
  if forgotten > day then
    -- The account can only remember a shorter time now: keys expire after that time, and counts of the day are partial.
    day = math.min(forgotten, at - 1)
    ttl, spare = at - day + SLACK_MS, 0
    partialUntil = at + DAY_MS
    changed.f, changed.p = text(forgotten), text(partialUntil)
  end
  changed.t, changed.b = atText, text(filled)
  local hourMark, dayText, hourText = text(hour_of(at)), text(day), '(' .. text(at - HOUR_MS)
  local kept, silent = text(ttl + spare), math.max(day, at - HOUR_MS)

  -- Only when the hour mark of a key changes are old entries removed and is its expiry renewed. Returns the counts of the
  -- hour and the day.
  local function count_in(key, entry, entryText, voice, voiceText)
    local due = always
    -- A new hour is new for all three: an entry with this time has this hour's mark.
    if added == 0 or call('ZADD', key, 'CH', hourMark, HOUR_MARK, entryText, entry, '-' .. voiceText, voice) > 2 then due = true end
    if due and renew(key, kept, '(' .. hourMark, dayText, silent) then return 1, 1 end
    local total = call('ZCOUNT', key, '(' .. dayText, '+inf')
    if total < 2 then return total, total end
    return call('ZCOUNT', key, hourText, '+inf'), total
  end

  local network1h, network24h = 0, 0
  if network then network1h, network24h = count_in(network, members.of_network, namedText, members.person, atText) end
  local domain1h, domain24h = count_in(domain, address, atText, members.voice, namedText)
  local mailbox24h = 1
  if added < 2 or not expire_new(mailbox, text(ttl)) then
    call('PEXPIRE', mailbox, text(ttl))
    call('ZREMRANGEBYSCORE', mailbox, '-' .. dayText, dayText)
    mailbox24h = call('ZCOUNT', mailbox, '-inf', '0')
  end
  local partial = at < partialUntil and 1 or 0
  local people, voices, own, others = network1h, domain1h, mailbox24h, 0
  local blocked_people, blocked_voices, blocked_own, blocked_others = 0, 0, 0, 0
  local own_people, named_people, named_voices = 0, 0, 0
  if network1h >= NETWORK_BURST then
    people, blocked_people = people_after(network, silent)
    own_people, named_people = alike(network, silent, people - blocked_people, name_of(domain))
  end
  if domain1h >= DOMAIN_BURST then
    voices, blocked_voices, named_voices = voices_of_domain(domain, silent, members.place)
  end
  if mailbox24h >= MAILBOX_BURST then
    own, others, blocked_own, blocked_others = voices_of_mailbox(mailbox, members.place, dayText)
  end
  return string.format(
    ' 1 %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d',
    network1h, network24h, domain1h, domain24h, mailbox24h, partial, people, voices, own, others,
    blocked_people, blocked_voices, blocked_own, blocked_others, own_people, named_people, named_voices
  )
end

-- Returns 1 if a credit is reserved, 2 if none is left.
local function reserve(used, isExact)
  if not isExact and countedMonth == month then used = math.max(used, countedCredits) end
  if used >= cap then return 2 end
  -- A node whose month ends late does not bring the last one back.
  if countedMonth <= month then
    countedMonth, countedCredits = month, used + 1
    changed.k, changed.c = countedMonth, text(countedCredits)
  end
  return 1
end

local function answer(at, place, argument)
  local admitted, remaining, retryAt, credit = 1, 0, 0, 0
  if windowMs > 0 then admitted, remaining, retryAt = meter(KEYS[1], windowMs, window, at, admits, true) end
  if admitted == 1 and cap >= 0 then
    credit = reserve(tonumber(ARGV[argument + 1]), ARGV[argument + 2] == '1')
  end
  local checked = string.format('%d %d %d %d', admitted, remaining, retryAt, credit)
  if admitted == 0 or credit == 2 then return checked end
  if ARGV[argument + 6] == '2' then return checked .. ' 2' end
  return checked .. (counts and count(at, place, argument) or ' 0')
end

local answers, latest = {}, 0
local place = COMMON_KEYS + 1
for argument = COMMON_ARGUMENTS + 1, #ARGV, ATTEMPT_ARGUMENTS do
  local at = tonumber(ARGV[argument])
  answers[#answers + 1] = answer(at, place, argument)
  latest = math.max(latest, at)
  place = place + ATTEMPT_KEYS
end
if windowMs > 0 then
  changed[last] = window.last
  if window.first ~= (state[9] or '') then changed[first] = window.first end
  if window.between ~= tonumber(state[10] or 0) then changed[between] = text(window.between) end
end
local fields = {}
for field, value in pairs(changed) do
  fields[#fields + 1] = field
  fields[#fields + 1] = value
end
if #fields > 0 then call('HSET', KEYS[2], unpack(fields)) end
-- Renewed once an hour, for two days: longer than the one day that it is needed.
if hour_of(latest) ~= hour_of(before) then call('PEXPIRE', KEYS[2], 2 * DAY_MS) end
return table.concat(answers, ',')
