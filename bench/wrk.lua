-- For wrk: sends the requests of a file in sequence (each is its length, a line feed and its bytes) and prints the result
-- as one line of JSON.
local requests = {}
local turn = 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for length in function() return file:read('*n') end do
    file:read(1)
    requests[#requests + 1] = file:read(length)
  end
  file:close()
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"seconds":%f,"answers":%d,"refused":%d,"broken":%d,"p50":%f,"p99":%f}',
    summary.duration / 1e6, summary.requests, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3
  ))
end
