-- A few signups that the newest version of a feed would give another verdict: they are shown while a person decides about it.
CREATE TABLE feed_flips (
  feed TEXT NOT NULL,
  request_id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  version TEXT NOT NULL,
  at INTEGER NOT NULL,
  old_verdict TEXT NOT NULL,
  new_verdict TEXT NOT NULL,
  PRIMARY KEY (feed, request_id)
) WITHOUT ROWID;
CREATE INDEX feed_flips_by_signup ON feed_flips (request_id);
CREATE INDEX feed_flips_by_account ON feed_flips (account_id, feed, request_id);
