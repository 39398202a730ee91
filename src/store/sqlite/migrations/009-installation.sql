-- What an installation knows of itself, by name: how to tell its secret from others.
CREATE TABLE installation (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) WITHOUT ROWID;
