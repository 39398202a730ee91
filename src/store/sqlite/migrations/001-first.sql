-- Counters that every process of an installation shares; directory_version grows with each change of an account or key.
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO meta (name, value) VALUES ('directory_version', 0);

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  overage INTEGER NOT NULL,
  monthly_quota INTEGER,
  requests_per_second INTEGER,
  challenge INTEGER,
  block INTEGER,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX accounts_by_version ON accounts (version);

CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  mode TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  challenge INTEGER,
  block INTEGER,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX keys_by_version ON keys (version);

-- Narrow rows in order of commit; the wide texts of the same seq stand in assessment_documents.
CREATE TABLE assessments (
  seq INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  at INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  score INTEGER NOT NULL,
  reasons TEXT NOT NULL,
  email_domain TEXT NOT NULL,
  address_hash TEXT NOT NULL,
  mailbox_hash TEXT NOT NULL,
  email_masked TEXT NOT NULL,
  email TEXT,
  ip TEXT,
  network TEXT,
  country_code TEXT NOT NULL,
  asn INTEGER NOT NULL,
  session_id TEXT
);

CREATE TABLE assessment_documents (
  seq INTEGER PRIMARY KEY,
  body TEXT NOT NULL,
  evidence TEXT NOT NULL
);

CREATE TABLE credits (
  account_id TEXT NOT NULL,
  month TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (account_id, month)
) WITHOUT ROWID;

CREATE TABLE feedback (
  request_id TEXT PRIMARY KEY,
  outcome TEXT NOT NULL,
  note TEXT,
  key_id TEXT NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE knowledge (
  name TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
