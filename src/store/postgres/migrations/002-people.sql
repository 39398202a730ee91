-- Users and sign-in: the tables of better-auth under names of our own; its columns keep their names, so they are quoted.
CREATE TABLE auth_users (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  email text COLLATE "C" NOT NULL UNIQUE,
  "emailVerified" boolean NOT NULL,
  image text,
  "createdAt" timestamptz NOT NULL,
  "updatedAt" timestamptz NOT NULL,
  "twoFactorEnabled" boolean,
  operator boolean NOT NULL DEFAULT false
);

CREATE TABLE auth_sessions (
  id text COLLATE "C" PRIMARY KEY,
  "expiresAt" timestamptz NOT NULL,
  token text COLLATE "C" NOT NULL UNIQUE,
  "createdAt" timestamptz NOT NULL,
  "updatedAt" timestamptz NOT NULL,
  "ipAddress" text,
  "userAgent" text,
  "userId" text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE
);
CREATE INDEX auth_sessions_by_user ON auth_sessions ("userId");

CREATE TABLE auth_credentials (
  id text COLLATE "C" PRIMARY KEY,
  "accountId" text NOT NULL,
  "providerId" text NOT NULL,
  "userId" text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  scope text,
  password text,
  "createdAt" timestamptz NOT NULL,
  "updatedAt" timestamptz NOT NULL
);
CREATE INDEX auth_credentials_by_user ON auth_credentials ("userId");

CREATE TABLE auth_verifications (
  id text COLLATE "C" PRIMARY KEY,
  identifier text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  "expiresAt" timestamptz NOT NULL,
  "createdAt" timestamptz NOT NULL,
  "updatedAt" timestamptz NOT NULL
);
CREATE INDEX auth_verifications_by_identifier ON auth_verifications (identifier);

CREATE TABLE auth_two_factors (
  id text COLLATE "C" PRIMARY KEY,
  secret text COLLATE "C" NOT NULL,
  "backupCodes" text NOT NULL,
  "userId" text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  verified boolean,
  "failedVerificationCount" int,
  "lockedUntil" timestamptz
);
CREATE INDEX auth_two_factors_by_secret ON auth_two_factors (secret);
CREATE INDEX auth_two_factors_by_user ON auth_two_factors ("userId");

CREATE TABLE memberships (
  user_id text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  role text NOT NULL,
  PRIMARY KEY (user_id, account_id)
);
CREATE INDEX memberships_by_account ON memberships (account_id);

CREATE TABLE invitations (
  id text COLLATE "C" PRIMARY KEY,
  token_hash text COLLATE "C" NOT NULL UNIQUE,
  email text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  role text NOT NULL,
  invited_by text NOT NULL,
  expires_at bigint NOT NULL,
  accepted_at bigint
);
CREATE INDEX invitations_by_account ON invitations (account_id);

-- What may happen once only, such as the use of a link; the first to write a name has it.
CREATE TABLE once (
  name text COLLATE "C" PRIMARY KEY,
  at bigint NOT NULL
);

-- Every version is kept; the newest of an account is in force.
CREATE TABLE policies (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  number int NOT NULL,
  weights text NOT NULL,
  created_at bigint NOT NULL,
  author text NOT NULL,
  note text NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (account_id, number)
);
CREATE INDEX policies_by_version ON policies (version);

CREATE TABLE audit (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  actor text NOT NULL,
  account_id text COLLATE "C",
  action text NOT NULL,
  target text NOT NULL,
  detail text NOT NULL
);
CREATE INDEX audit_by_account ON audit (account_id, seq);
