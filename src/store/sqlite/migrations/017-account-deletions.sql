-- Accounts that are being deleted, and the hashes of the ids of those that were. A hash stays: whoever did not see the
-- deletion happen learns of it later.
CREATE TABLE account_deletions (
  -- SHA-256 of the id, hex.
  hash TEXT PRIMARY KEY,
  -- NULL once nothing of the account is left.
  id TEXT,
  -- When it began, milliseconds since the epoch.
  at INTEGER NOT NULL,
  -- Of the directory.
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX account_deletions_by_version ON account_deletions (version);
