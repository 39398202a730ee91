-- Who a person is at an OpenID provider. A user has one identity at each provider, and an identity one user.
CREATE TABLE oidc_identities (
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  created_at bigint NOT NULL,
  used_at bigint NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX oidc_identities_by_user ON oidc_identities (user_id, issuer);
-- Whether the groups of the provider give a role, and the role that people gave beside it, which returns when the groups go.
ALTER TABLE memberships ADD COLUMN by_groups boolean NOT NULL DEFAULT false;
ALTER TABLE memberships ADD COLUMN hand_role text COLLATE "C";
