-- Accounts that are being deleted, and the hashes of the ids of those that were. A hash stays: a node that was stopped
-- when the account was deleted learns of it when it goes on.
CREATE TABLE account_deletions (
  -- SHA-256 of the id, hex.
  hash text COLLATE "C" PRIMARY KEY,
  -- NULL once nothing of the account is left.
  id text COLLATE "C",
  -- When it began, milliseconds since the epoch.
  at bigint NOT NULL,
  -- Of the directory.
  version bigint NOT NULL
);
CREATE INDEX account_deletions_by_version ON account_deletions (version);
