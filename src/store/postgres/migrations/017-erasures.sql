-- Who was erased, as keyed hashes alone, divided by spaces: a restored database is compared with a newer list of them.
CREATE TABLE erasures (
  account_id text COLLATE "C" NOT NULL,
  stored_until bigint NOT NULL,
  hashes text COLLATE "C" NOT NULL,
  applied_at bigint,
  PRIMARY KEY (account_id, stored_until, hashes)
);
