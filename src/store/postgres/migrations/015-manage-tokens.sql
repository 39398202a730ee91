-- Tokens of the management API. Only a hash of each is stored. Without an account, a token is for all of them.
CREATE TABLE manage_tokens (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  hash text NOT NULL UNIQUE,
  prefix text NOT NULL,
  scopes text NOT NULL,
  account_id text COLLATE "C" REFERENCES accounts (id),
  created_by text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  last_used_at bigint,
  revoked_at bigint,
  version bigint NOT NULL
);
CREATE INDEX manage_tokens_by_version ON manage_tokens (version);
