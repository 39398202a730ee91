-- What became of signups afterwards: each outcome of a signup once. It goes with the signup.
CREATE TABLE outcomes (
  request_id text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  mode text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  -- The key or the hook that reported it.
  key_id text COLLATE "C" NOT NULL,
  -- Copies from the signup, to count by time, by domain and by wave; the domain is NULL once the person was erased.
  assessed_at bigint NOT NULL,
  email_domain text COLLATE "C",
  campaign_id text COLLATE "C",
  PRIMARY KEY (request_id, outcome)
);
CREATE INDEX outcomes_by_assessment ON outcomes (account_id, mode, assessed_at, outcome);
CREATE INDEX outcomes_by_time ON outcomes (account_id, mode, at);
CREATE INDEX outcomes_by_campaign ON outcomes (campaign_id, outcome) WHERE campaign_id IS NOT NULL;
-- Members of a wave who confirmed their address, and those whose address bounced.
ALTER TABLE campaigns ADD COLUMN verified int NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN bounced int NOT NULL DEFAULT 0;
