-- A few signups that the newest version of a feed would give another verdict: they are shown while a person decides about it.
CREATE TABLE feed_flips (
  feed text COLLATE "C" NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  version text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  old_verdict text COLLATE "C" NOT NULL,
  new_verdict text COLLATE "C" NOT NULL,
  PRIMARY KEY (feed, request_id)
);
CREATE INDEX feed_flips_by_signup ON feed_flips (request_id);
CREATE INDEX feed_flips_by_account ON feed_flips (account_id, feed, request_id);
