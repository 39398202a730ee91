-- Tokens of the management API. Only a hash of each is stored. Without an account, a token is for all of them.
CREATE TABLE manage_tokens (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  scopes TEXT NOT NULL,
  account_id TEXT REFERENCES accounts (id),
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  revoked_at INTEGER,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX manage_tokens_by_version ON manage_tokens (version);
