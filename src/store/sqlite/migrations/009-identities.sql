-- Who a person is at an OpenID provider. A user has one identity at each provider, and an identity one user.
CREATE TABLE oidc_identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;
CREATE UNIQUE INDEX oidc_identities_by_user ON oidc_identities (user_id, issuer);
-- Whether the groups of the provider give a role, and the role that people gave beside it, which returns when the groups go.
ALTER TABLE memberships ADD COLUMN by_groups INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memberships ADD COLUMN hand_role TEXT;
