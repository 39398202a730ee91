-- Who was erased, as keyed hashes alone, divided by spaces: a restored database is compared with a newer list of them.
CREATE TABLE erasures (
  account_id TEXT NOT NULL,
  stored_until INTEGER NOT NULL,
  hashes TEXT NOT NULL,
  applied_at INTEGER,
  PRIMARY KEY (account_id, stored_until, hashes)
) WITHOUT ROWID;

-- Empty but while an erasure overwrites what is free in the file.
CREATE TABLE zeros (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
