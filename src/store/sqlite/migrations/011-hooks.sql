-- What auth providers call before they create a user. The secrets are encrypted with the installation's secret.
CREATE TABLE hooks (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  provider TEXT NOT NULL,
  name TEXT NOT NULL,
  mode TEXT NOT NULL,
  secret TEXT,
  previous_secret TEXT,
  previous_until INTEGER,
  reach TEXT NOT NULL,
  challenge_as TEXT NOT NULL,
  on_error TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX hooks_by_version ON hooks (version);
