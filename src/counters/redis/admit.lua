-- KEYS: bucket. ARGV: now, length of the window, requests it admits, whether to count.
return { meter(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1') }
