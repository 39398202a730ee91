-- Users and sign-in: the tables of better-auth under names of our own; its columns keep their names.
CREATE TABLE auth_users (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  emailVerified INTEGER NOT NULL,
  image TEXT,
  createdAt DATE NOT NULL,
  updatedAt DATE NOT NULL,
  twoFactorEnabled INTEGER,
  operator INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE TABLE auth_sessions (
  id TEXT PRIMARY KEY,
  expiresAt DATE NOT NULL,
  token TEXT NOT NULL UNIQUE,
  createdAt DATE NOT NULL,
  updatedAt DATE NOT NULL,
  ipAddress TEXT,
  userAgent TEXT,
  userId TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX auth_sessions_by_user ON auth_sessions (userId);

CREATE TABLE auth_credentials (
  id TEXT PRIMARY KEY,
  accountId TEXT NOT NULL,
  providerId TEXT NOT NULL,
  userId TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  accessToken TEXT,
  refreshToken TEXT,
  idToken TEXT,
  accessTokenExpiresAt DATE,
  refreshTokenExpiresAt DATE,
  scope TEXT,
  password TEXT,
  createdAt DATE NOT NULL,
  updatedAt DATE NOT NULL
) WITHOUT ROWID;
CREATE INDEX auth_credentials_by_user ON auth_credentials (userId);

CREATE TABLE auth_verifications (
  id TEXT PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  expiresAt DATE NOT NULL,
  createdAt DATE NOT NULL,
  updatedAt DATE NOT NULL
) WITHOUT ROWID;
CREATE INDEX auth_verifications_by_identifier ON auth_verifications (identifier);

CREATE TABLE auth_two_factors (
  id TEXT PRIMARY KEY,
  secret TEXT NOT NULL,
  backupCodes TEXT NOT NULL,
  userId TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  verified INTEGER,
  failedVerificationCount INTEGER,
  lockedUntil DATE
) WITHOUT ROWID;
CREATE INDEX auth_two_factors_by_secret ON auth_two_factors (secret);
CREATE INDEX auth_two_factors_by_user ON auth_two_factors (userId);

CREATE TABLE memberships (
  user_id TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  role TEXT NOT NULL,
  PRIMARY KEY (user_id, account_id)
) WITHOUT ROWID;
CREATE INDEX memberships_by_account ON memberships (account_id);

CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  role TEXT NOT NULL,
  invited_by TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  accepted_at INTEGER
) WITHOUT ROWID;
CREATE INDEX invitations_by_account ON invitations (account_id);

-- What may happen once only, such as the use of a link; the first to write a name has it.
CREATE TABLE once (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) WITHOUT ROWID;

-- Every version is kept; the newest of an account is in force.
CREATE TABLE policies (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  number INTEGER NOT NULL,
  weights TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  author TEXT NOT NULL,
  note TEXT NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (account_id, number)
) WITHOUT ROWID;
CREATE INDEX policies_by_version ON policies (version);

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  account_id TEXT,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  detail TEXT NOT NULL
);
CREATE INDEX audit_by_account ON audit (account_id, seq);
