-- What auth providers call before they create a user. The secrets are encrypted with the installation's secret.
CREATE TABLE hooks (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  provider text NOT NULL,
  name text NOT NULL,
  mode text NOT NULL,
  secret text,
  previous_secret text,
  previous_until bigint,
  reach text NOT NULL,
  challenge_as text NOT NULL,
  on_error text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint,
  revoked_at bigint,
  version bigint NOT NULL
);
CREATE INDEX hooks_by_version ON hooks (version);
