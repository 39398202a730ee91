-- Several users may claim an address that nobody verified: all but one have a made-up email, by which sign-in knows them.
ALTER TABLE auth_users ADD COLUMN address TEXT;
-- Whose invitation made the user, and the account it was for.
ALTER TABLE auth_users ADD COLUMN invited_by TEXT;
ALTER TABLE auth_users ADD COLUMN home_account TEXT;
CREATE INDEX auth_users_by_address ON auth_users (coalesce(address, email));

UPDATE auth_users SET emailVerified = 0,
  invited_by = (SELECT i.invited_by FROM invitations i WHERE i.email = auth_users.email
    AND i.accepted_at IS NOT NULL ORDER BY i.accepted_at, i.id LIMIT 1),
  home_account = (SELECT i.account_id FROM invitations i WHERE i.email = auth_users.email
    AND i.accepted_at IS NOT NULL ORDER BY i.accepted_at, i.id LIMIT 1)
WHERE operator = 0;
