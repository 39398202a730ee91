-- Counters that every node shares. directory_version grows with each change of an account, a key or a policy,
-- lists_version with each change of an account's own lists: within the changing transaction, whose lock on the row
-- makes versions commit in order.
CREATE TABLE meta (
  name text COLLATE "C" PRIMARY KEY,
  value bigint NOT NULL
);
INSERT INTO meta (name, value) VALUES ('directory_version', 0), ('lists_version', 0);

-- The installation's secret, or only what tells one secret from another where the operator keeps it elsewhere.
CREATE TABLE installation (
  name text COLLATE "C" PRIMARY KEY,
  value bytea NOT NULL
);

CREATE TABLE accounts (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL,
  overage boolean NOT NULL,
  monthly_quota bigint,
  requests_per_second bigint,
  challenge int,
  block int,
  created_at bigint NOT NULL,
  version bigint NOT NULL
);
CREATE INDEX accounts_by_version ON accounts (version);

CREATE TABLE keys (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  mode text NOT NULL,
  hash text COLLATE "C" NOT NULL UNIQUE,
  prefix text NOT NULL,
  challenge int,
  block int,
  created_at bigint NOT NULL,
  last_used_at bigint,
  revoked_at bigint,
  version bigint NOT NULL
);
CREATE INDEX keys_by_version ON keys (version);

CREATE TABLE list_entries (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  action text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  shown text NOT NULL,
  reason text,
  author text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  hits bigint NOT NULL,
  last_hit_at bigint,
  version bigint NOT NULL,
  UNIQUE (account_id, kind, value, action)
);
CREATE INDEX list_entries_by_version ON list_entries (version, id);

-- Ids only: a running node learns from them what is gone, and nothing is kept of what the entry said.
CREATE TABLE list_removals (
  id text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL
);
CREATE INDEX list_removals_by_version ON list_removals (version);

CREATE TABLE knowledge (
  name text COLLATE "C" PRIMARY KEY,
  text text NOT NULL,
  expires_at bigint NOT NULL
);

-- One row an account and month, changed by every batch: room on the page keeps its versions there.
CREATE TABLE credits (
  account_id text COLLATE "C" NOT NULL,
  month text COLLATE "C" NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (account_id, month)
) WITH (fillfactor = 50);

-- Request ids begin with their time, so a month is a range of ids: partitions by month, yet the id alone is the key.
CREATE SEQUENCE assessment_seq AS bigint;

CREATE TABLE assessments (
  request_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  mode text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  verdict text COLLATE "C" NOT NULL,
  score int NOT NULL,
  reasons text COLLATE "C" NOT NULL,
  email_domain text COLLATE "C" NOT NULL,
  address_hash text COLLATE "C" NOT NULL,
  mailbox_hash text COLLATE "C" NOT NULL,
  email_masked text COLLATE "C" NOT NULL,
  email text COLLATE "C",
  ip text COLLATE "C",
  network text COLLATE "C",
  country_code text COLLATE "C" NOT NULL,
  asn bigint NOT NULL,
  session_id text COLLATE "C",
  processed_ms int NOT NULL,
  -- In the order of the reasons.
  weights real[] NOT NULL,
  PRIMARY KEY (request_id)
) PARTITION BY RANGE (request_id);

-- Not compressed: that would cost each insert more than the disk is worth.
CREATE TABLE assessment_documents (
  request_id text COLLATE "C" NOT NULL,
  body text STORAGE EXTERNAL NOT NULL,
  evidence text STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY (request_id)
) PARTITION BY RANGE (request_id);

CREATE TABLE feedback (
  request_id text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  note text,
  key_id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  -- What the log needs to find feedback by account and time, copied from the assessment it is about.
  account_id text COLLATE "C",
  assessed_at bigint,
  seq bigint,
  PRIMARY KEY (request_id)
) PARTITION BY RANGE (request_id);
