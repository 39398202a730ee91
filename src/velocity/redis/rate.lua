-- The sliding window of one bucket: the times it admitted, oldest first, six bytes each. Its first and its last block are
-- fields of the account's state, so a request costs no command of its own. A window of more has full blocks in between, in
-- a list. A slightly earlier time counts as the latest time; after the clock was set back by more, everything keeps its age.
local TIME = '>I6'
local TIME_BYTES = 6
local BLOCK_TIMES = 64
local BLOCK_BYTES = BLOCK_TIMES * TIME_BYTES
-- A node with a slow clock must not end a window early.
local SLACK_MS = 60000
-- The same as in clock-step.ts.
local CLOCK_STEP_MS = 60000
local WINDOW_SHARE = 0.2

-- The values of the fields 'h', 'n' and 'l' of a bucket: first block, number of blocks in between, last block.
local function window_of(first, between, last)
  return { first = first or '', between = tonumber(between or 0), last = last or '' }
end

local function append(list, windowMs, window, time)
  if #window.last >= BLOCK_BYTES then
    if window.first == '' then
      window.first = window.last
    else
      redis.call('RPUSH', list, window.last)
      redis.call('PEXPIRE', list, windowMs + SLACK_MS)
      window.between = window.between + 1
    end
    window.last = ''
  end
  window.last = window.last .. struct.pack(TIME, time)
end

-- After the clock was set back.
local function shift(list, windowMs, window, back)
  local between = ''
  if window.between > 0 then
    between = table.concat(redis.call('LRANGE', list, 0, -1))
    redis.call('DEL', list)
  end
  local times = window.first .. between .. window.last
  window.first, window.between, window.last = '', 0, ''
  for place = 1, #times, TIME_BYTES do
    append(list, windowMs, window, math.max(0, struct.unpack(TIME, times, place) - back))
  end
end

-- Removes what has left the window. Returns the time that counts as now.
local function advance(list, windowMs, window, now)
  local block = window.last ~= '' and window.last or window.first
  if block == '' then return now end
  local newest = struct.unpack(TIME, block, #block - TIME_BYTES + 1)
  if newest > now + math.min(CLOCK_STEP_MS, windowMs * WINDOW_SHARE) then
    shift(list, windowMs, window, newest - now)
  elseif newest > now then
    now = newest
  end
  if now - newest >= windowMs then
    if window.between > 0 then redis.call('DEL', list) end
    window.first, window.between, window.last = '', 0, ''
    return now
  end
  while true do
    local first, gone = window.first, 1
    while gone <= #first and now - struct.unpack(TIME, first, gone) >= windowMs do gone = gone + TIME_BYTES end
    if gone <= #first then
      if gone > 1 then window.first = string.sub(first, gone) end
      return now
    end
    if window.between > 0 then
      window.first = redis.call('LPOP', list) or ''
      window.between = window.between - 1
    else
      window.first, window.last = window.last, ''
    end
  end
end

-- The time of an admitted request; 0 is the oldest.
local function time_of(list, window, request)
  local block, place = window.first, request - #window.first / TIME_BYTES
  if place < 0 then
    place = request
  else
    local full = math.floor(place / BLOCK_TIMES)
    block = full < window.between and redis.call('LINDEX', list, full) or window.last
    place = place - math.min(full, window.between) * BLOCK_TIMES
  end
  return (struct.unpack(TIME, block, place * TIME_BYTES + 1))
end

-- Returns: whether it admits the request, how many more, and when the next one.
local function meter(list, windowMs, window, now, admits, counting)
  now = advance(list, windowMs, window, now)
  local count = (#window.first + #window.last) / TIME_BYTES + window.between * BLOCK_TIMES
  local admitted = 0
  if count < admits then
    admitted = 1
    if counting then
      append(list, windowMs, window, now)
      count = count + 1
    end
  end
  if count < admits then return admitted, admits - count, now end
  local blocking = admits > 0 and time_of(list, window, count - admits) or now
  return admitted, 0, blocking + windowMs
end
