-- What became of challenges that were passed on to a visitor or redeemed; `assessed_at` is a copy, to count by time.
CREATE TABLE challenges (
  request_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  assessed_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status TEXT NOT NULL,
  method TEXT,
  return_url TEXT,
  attempts INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX challenges_by_assessment ON challenges (account_id, mode, assessed_at, status);
