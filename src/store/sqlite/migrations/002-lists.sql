-- Grows with each change of any account's own lists.
INSERT INTO meta (name, value) VALUES ('lists_version', 0);

CREATE TABLE list_entries (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  action TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  shown TEXT NOT NULL,
  reason TEXT,
  author TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  hits INTEGER NOT NULL,
  last_hit_at INTEGER,
  version INTEGER NOT NULL,
  UNIQUE (account_id, kind, value, action)
) WITHOUT ROWID;
CREATE INDEX list_entries_by_version ON list_entries (version, id);

-- Ids only: a running service learns from them what is gone, and nothing is kept of what the entry said.
CREATE TABLE list_removals (
  id TEXT PRIMARY KEY,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX list_removals_by_version ON list_removals (version);
