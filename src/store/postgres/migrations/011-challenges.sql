-- What became of challenges that were passed on to a visitor or redeemed; `assessed_at` is a copy, to count by time.
CREATE TABLE challenges (
  request_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  mode text COLLATE "C" NOT NULL,
  assessed_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  at bigint NOT NULL,
  status text COLLATE "C" NOT NULL,
  method text COLLATE "C",
  return_url text,
  attempts int NOT NULL,
  PRIMARY KEY (request_id)
) PARTITION BY RANGE (request_id);
CREATE INDEX challenges_by_assessment ON challenges (account_id, mode, assessed_at, status);
