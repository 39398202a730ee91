-- Versions that every process of an installation compares, to notice what others changed.
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO meta (name, value) VALUES
  -- Grows with each change of an account, a key, a hook, a token or a policy.
  ('directory_version', 0),
  -- Grows with each change of any account's own lists.
  ('lists_version', 0),
  ('mail_hosts_version', 0),
  ('hash_keys_version', 0),
  ('campaigns_version', 0),
  ('mailboxes_version', 0),
  -- Grows with each erasure that removes addresses of mailboxes.
  ('mailbox_removals_version', 0),
  -- Instant up to which stored signups were made events, milliseconds since the epoch.
  ('signup_events_until', 0),
  -- Grows with each change of a stored batch, whoever makes it: batches in memory are read again then. A new batch changes no other.
  ('batches_version', 0),
  -- Grows with each assessment that is erased, or replaced by an anonymous one, but not with those that are removed because
  -- they are old. An erasure that leaves nothing of a batch increases it by itself.
  ('erasures_version', 0);

-- What an installation knows of itself, by name: how to tell its secret from others.
CREATE TABLE installation (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) WITHOUT ROWID;

-- What may happen once only, such as the use of a link; the first to write a name has it.
CREATE TABLE once (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  overage INTEGER NOT NULL,
  monthly_quota INTEGER,
  requests_per_second INTEGER,
  challenge INTEGER,
  block INTEGER,
  time_zone TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX accounts_by_version ON accounts (version);

-- Accounts that are being deleted, and the hashes of the ids of those that were. A hash stays: whoever did not see the
-- deletion happen learns of it later.
CREATE TABLE account_deletions (
  -- SHA-256 of the id, hex.
  hash TEXT PRIMARY KEY,
  -- NULL once nothing of the account is left.
  id TEXT,
  -- When it began, milliseconds since the epoch.
  at INTEGER NOT NULL,
  -- Of the directory.
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX account_deletions_by_version ON account_deletions (version);

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
  version INTEGER NOT NULL,
  -- Percent of all people whose signups are answered with the verdict; the others with allow, whatever the verdict is.
  enforced_share INTEGER NOT NULL DEFAULT 100 CHECK (enforced_share BETWEEN 0 AND 100),
  -- When its secret was last replaced. The secret that it replaced is refused from `previous_until` on.
  rotated_at INTEGER,
  previous_hash TEXT UNIQUE,
  previous_prefix TEXT,
  previous_used_at INTEGER,
  previous_until INTEGER,
  expires_at INTEGER,
  -- CIDR blocks that its callers must be in, separated by spaces.
  allowed_ranges TEXT
) WITHOUT ROWID;
CREATE INDEX keys_by_version ON keys (version);

-- What auth providers call before they create a user. The secrets are encrypted with the installation's secret.
CREATE TABLE hooks (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  provider TEXT NOT NULL,
  name TEXT NOT NULL,
  mode TEXT NOT NULL,
  secret TEXT,
  previous_secret TEXT,
  previous_until INTEGER,
  reach TEXT NOT NULL,
  challenge_as TEXT NOT NULL,
  on_error TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX hooks_by_version ON hooks (version);

-- Tokens of the management API. Only a hash of each is stored. Without an account, a token is for all of them.
CREATE TABLE manage_tokens (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  scopes TEXT NOT NULL,
  account_id TEXT REFERENCES accounts (id),
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  revoked_at INTEGER,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX manage_tokens_by_version ON manage_tokens (version);

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

CREATE TABLE list_entries (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  action TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  shown TEXT NOT NULL,
  reason TEXT,
  author TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  hits INTEGER NOT NULL,
  last_hit_at INTEGER,
  version INTEGER NOT NULL,
  UNIQUE (account_id, kind, value, action)
) WITHOUT ROWID;
CREATE INDEX list_entries_by_version ON list_entries (version, id);
CREATE INDEX list_entries_by_expiry ON list_entries (account_id, expires_at) WHERE expires_at IS NOT NULL;

-- Ids only: a running service learns from them what is gone, and nothing is kept of what the entry said.
CREATE TABLE list_removals (
  id TEXT PRIMARY KEY,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX list_removals_by_version ON list_removals (version);

-- What operators decided about mail hosts; few, and kept for ever.
CREATE TABLE mail_host_decisions (
  key TEXT PRIMARY KEY,
  generation INTEGER NOT NULL,
  never_flag INTEGER NOT NULL,
  author TEXT NOT NULL,
  at INTEGER NOT NULL,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX mail_host_decisions_by_version ON mail_host_decisions (version);

-- Waves of signups. Shares are in millionths, odds in tenths of a power of ten: whole numbers are the same in both databases.
CREATE TABLE campaigns (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  key TEXT NOT NULL,
  scope TEXT NOT NULL,
  scope_text TEXT NOT NULL,
  mark TEXT NOT NULL,
  mark_text TEXT NOT NULL,
  members INTEGER NOT NULL,
  stopped INTEGER NOT NULL,
  let_in INTEGER NOT NULL,
  usual_ppm INTEGER NOT NULL,
  decades_tenths INTEGER NOT NULL,
  families TEXT NOT NULL,
  networks INTEGER NOT NULL,
  hosting INTEGER NOT NULL,
  since INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  good_reports INTEGER NOT NULL DEFAULT 0,
  fraud_reports INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL DEFAULT 'open',
  ended_at INTEGER,
  ended_by TEXT,
  ended_reason TEXT,
  decision TEXT NOT NULL DEFAULT '',
  decided_at INTEGER,
  decided_by TEXT NOT NULL DEFAULT '',
  decided_note TEXT NOT NULL DEFAULT '',
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX campaigns_by_version ON campaigns (version, id);
CREATE INDEX campaigns_by_account ON campaigns (account_id, id);
CREATE UNIQUE INDEX campaigns_open ON campaigns (account_id, key) WHERE state = 'open';

-- Reports of members, one each: the counts of a campaign are made from them.
CREATE TABLE campaign_reports (
  request_id TEXT PRIMARY KEY,
  campaign_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  outcome TEXT NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX campaign_reports_by_campaign ON campaign_reports (campaign_id, outcome);
CREATE INDEX campaign_reports_by_account ON campaign_reports (account_id);

-- Actions of people about attacks, each with an encrypted text that takes it back.
CREATE TABLE attack_actions (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  attack TEXT NOT NULL,
  at INTEGER NOT NULL,
  undo TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX attack_actions_by_attack ON attack_actions (account_id, attack, at);
CREATE INDEX attack_actions_by_time ON attack_actions (at);

-- The newest recall of each account, which judges again who was let in.
CREATE TABLE recall_runs (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id),
  id TEXT NOT NULL,
  -- Day by the account's clock of the last one that began at its hour.
  day TEXT NOT NULL,
  -- When somebody asked for another one; NULL: nobody did.
  requested_at INTEGER,
  began_at INTEGER NOT NULL,
  -- NULL: under way.
  ended_at INTEGER,
  since INTEGER NOT NULL,
  -- Signups from then on were judged.
  reached_at INTEGER NOT NULL,
  judged INTEGER NOT NULL,
  partial INTEGER NOT NULL,
  -- Process that has the lease.
  holder TEXT NOT NULL,
  lease_until INTEGER NOT NULL
) WITHOUT ROWID;

-- Signups that were let in, and would not come in now. `run` is the recall that found them last.
CREATE TABLE recalled_signups (
  request_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  run TEXT NOT NULL,
  at INTEGER NOT NULL,
  old_verdict TEXT NOT NULL,
  old_score INTEGER NOT NULL,
  new_verdict TEXT NOT NULL,
  new_score INTEGER NOT NULL,
  cause TEXT NOT NULL,
  cause_id TEXT NOT NULL,
  finding TEXT NOT NULL,
  found_at INTEGER NOT NULL,
  -- When somebody saw that there is nothing to do.
  seen_at INTEGER
) WITHOUT ROWID;
CREATE INDEX recalled_signups_by_account ON recalled_signups (account_id, at, request_id);
CREATE INDEX recalled_signups_by_time ON recalled_signups (at);

-- Admin APIs at which accounts of people who got in can be held.
CREATE TABLE provider_connections (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  client_id TEXT,
  realm TEXT,
  secret TEXT NOT NULL,
  -- Accounts a second, at most.
  per_second INTEGER NOT NULL,
  -- Whether the session id of a signup is its user id at the provider.
  session_is_user INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX provider_connections_by_account ON provider_connections (account_id, id);

-- Jobs that hold accounts at a provider, or release them.
CREATE TABLE takeback_jobs (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  -- NULL: its accounts are only listed. It may have been removed since.
  connection_id TEXT,
  name TEXT NOT NULL,
  attack TEXT,
  author TEXT NOT NULL,
  -- `hold` or `release`.
  phase TEXT NOT NULL,
  state TEXT NOT NULL,
  problem TEXT,
  -- Not to be continued before.
  next_at INTEGER NOT NULL DEFAULT 0,
  -- A process works on it until then; `run` is the number of its turn.
  lease_until INTEGER NOT NULL DEFAULT 0,
  run INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) WITHOUT ROWID;
CREATE INDEX takeback_jobs_by_account ON takeback_jobs (account_id, id);
CREATE INDEX takeback_jobs_running ON takeback_jobs (next_at) WHERE state = 'running';
CREATE INDEX takeback_jobs_by_time ON takeback_jobs (created_at);

-- Accounts of these jobs, each with the signup that it came from.
CREATE TABLE takeback_accounts (
  job_id TEXT NOT NULL REFERENCES takeback_jobs (id) ON DELETE CASCADE,
  request_id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  session_id TEXT,
  at INTEGER NOT NULL,
  -- Id at the provider.
  user_id TEXT,
  state TEXT NOT NULL,
  -- JSON of what it was, written before it is held, and never changed.
  before_hold TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  PRIMARY KEY (job_id, request_id)
) WITHOUT ROWID;
CREATE INDEX takeback_accounts_by_state ON takeback_accounts (job_id, state, next_at);
CREATE INDEX takeback_accounts_by_account ON takeback_accounts (account_id);
CREATE INDEX takeback_accounts_by_request ON takeback_accounts (request_id);

-- Addresses of mailboxes that signed up with another spelling than their own, by keyed hashes; days are counted since the epoch.
CREATE TABLE mailbox_addresses (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  mailbox TEXT NOT NULL,
  address TEXT NOT NULL,
  last_day INTEGER NOT NULL,
  -- Whether all its signups were answered with block.
  blocked INTEGER NOT NULL,
  -- Whether one of them was reported as a good customer's.
  good INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (account_id, mailbox, address)
) WITHOUT ROWID;
CREATE INDEX mailbox_addresses_by_version ON mailbox_addresses (version);
CREATE INDEX mailbox_addresses_by_day ON mailbox_addresses (last_day);

-- Domains of which ordinary people have come for weeks. With 0 people a domain is usual no more. Changes get a version of campaigns.
CREATE TABLE usual_domains (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  domain TEXT NOT NULL,
  people INTEGER NOT NULL,
  networks INTEGER NOT NULL,
  since INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (account_id, domain)
) WITHOUT ROWID;
CREATE INDEX usual_domains_by_version ON usual_domains (version, account_id, domain);
CREATE INDEX usual_domains_by_time ON usual_domains (last_at);

-- What is unusual, or was. An empty account: the installation. Of each subject one alert at most is open.
CREATE TABLE alerts (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  since INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  closed_at INTEGER,
  count INTEGER NOT NULL,
  total INTEGER NOT NULL,
  usual_thousandths INTEGER NOT NULL,
  -- JSON: values that most of the signups share.
  shares TEXT NOT NULL,
  note TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX alerts_open ON alerts (account_id, kind, subject) WHERE closed_at IS NULL;
CREATE INDEX alerts_by_account ON alerts (account_id, id);
CREATE INDEX alerts_by_end ON alerts (closed_at);

-- The keys that addresses are hashed with, since the first rotation: the newest hashes, all of them find. They are encrypted
-- with the installation's secret; the one without a text is that secret itself.
CREATE TABLE hash_keys (
  number INTEGER PRIMARY KEY,
  encrypted TEXT,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL
);

-- The assessments of a commit. The record at place i has the number seq + i; `last_id` is at most 10 s after `first_id`.
CREATE TABLE assessment_batches (
  seq INTEGER PRIMARY KEY,
  count INTEGER NOT NULL,
  first_id TEXT NOT NULL,
  last_id TEXT NOT NULL,
  ids TEXT NOT NULL,
  attempts TEXT NOT NULL,
  details TEXT NOT NULL,
  -- CRC-32 of the number and the texts, which every change of them writes again.
  crc32 INTEGER NOT NULL
);
CREATE INDEX assessment_batches_by_id ON assessment_batches (last_id, first_id);
CREATE TRIGGER assessment_batches_changed AFTER UPDATE ON assessment_batches BEGIN
  UPDATE meta SET value = value + 1 WHERE name = 'batches_version';
END;
CREATE TRIGGER assessment_batches_removed AFTER DELETE ON assessment_batches BEGIN
  UPDATE meta SET value = value + 1 WHERE name = 'batches_version';
END;
CREATE TRIGGER assessment_batches_erased AFTER UPDATE OF ids ON assessment_batches BEGIN
  UPDATE meta SET value = value + 1 WHERE name = 'erasures_version';
END;

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
  at INTEGER NOT NULL,
  -- Copies from the assessment it is about, to find feedback by account and time.
  account_id TEXT,
  assessed_at INTEGER,
  seq INTEGER
) WITHOUT ROWID;
CREATE INDEX feedback_by_assessment ON feedback (account_id, assessed_at, seq);
CREATE INDEX feedback_by_time ON feedback (account_id, at, request_id);

-- What became of challenges that were passed on to a visitor or redeemed; `assessed_at` is a copy, to count by time.
CREATE TABLE challenges (
  request_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  assessed_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status TEXT NOT NULL,
  method TEXT,
  return_url TEXT,
  -- Who was told the result: a keyed hash of an idempotency key, empty without one, NULL while nobody was.
  redeemer TEXT,
  attempts INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX challenges_by_assessment ON challenges (account_id, mode, assessed_at, status);

-- Requests with an idempotency key that were carried out; removed after a day.
CREATE TABLE idempotency (
  account_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  operation TEXT NOT NULL,
  key_hash TEXT NOT NULL,
  body_digest TEXT NOT NULL,
  request_id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  state TEXT NOT NULL,
  answer TEXT,
  PRIMARY KEY (account_id, mode, operation, key_hash)
) WITHOUT ROWID;
CREATE INDEX idempotency_by_time ON idempotency (at);

-- Who was erased, as keyed hashes alone, divided by spaces: a restored database is compared with a newer list of them.
CREATE TABLE erasures (
  account_id TEXT NOT NULL,
  stored_until INTEGER NOT NULL,
  hashes TEXT NOT NULL,
  applied_at INTEGER,
  -- Who asked for it, as the audit log names them; NULL once it is ended, or where only a list names it.
  noted_by TEXT,
  PRIMARY KEY (account_id, stored_until, hashes)
) WITHOUT ROWID;

-- Empty but while an erasure overwrites what is free in the file.
CREATE TABLE zeros (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);

-- What is known from elsewhere is bounded: by expiry, and by a count that is always exact.
CREATE TABLE knowledge (
  name TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX knowledge_by_expiry ON knowledge (expires_at);

CREATE TABLE knowledge_size (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  entries INTEGER NOT NULL,
  bytes INTEGER NOT NULL
);
INSERT INTO knowledge_size (id, entries, bytes) VALUES (1, 0, 0);

CREATE TRIGGER knowledge_added AFTER INSERT ON knowledge BEGIN
  UPDATE knowledge_size SET entries = entries + 1,
    bytes = bytes + length(CAST(new.name AS BLOB)) + length(CAST(new.text AS BLOB));
END;
CREATE TRIGGER knowledge_changed AFTER UPDATE ON knowledge BEGIN
  UPDATE knowledge_size SET
    bytes = bytes + length(CAST(new.text AS BLOB)) - length(CAST(old.text AS BLOB));
END;
CREATE TRIGGER knowledge_removed AFTER DELETE ON knowledge BEGIN
  UPDATE knowledge_size SET entries = entries - 1,
    bytes = bytes - length(CAST(old.name AS BLOB)) - length(CAST(old.text AS BLOB));
END;

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
  operator INTEGER NOT NULL DEFAULT 0,
  -- Several users may claim an address that nobody verified: all but one have a made-up email, by which sign-in knows them.
  address TEXT,
  -- Whose invitation made the user, and the account it was for.
  invited_by TEXT,
  home_account TEXT
) WITHOUT ROWID;
CREATE INDEX auth_users_by_address ON auth_users (coalesce(address, email));

-- How long a session lasts is decided by its creation and its last use; the library, which knows only the wall clock, ends none.
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

-- Filters of signups that people saved, each for herself; few.
CREATE TABLE saved_filters (
  user_id TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  id TEXT NOT NULL,
  query TEXT NOT NULL,
  PRIMARY KEY (user_id, account_id, name)
) WITHOUT ROWID;
CREATE INDEX saved_filters_by_account ON saved_filters (account_id);

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

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  account_id TEXT,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  detail TEXT NOT NULL,
  -- Whom a list entry in the log is about: the keyed hash of an address, or an IP. A masked address fits many people, and an
  -- erasure takes out one of them.
  subject TEXT
);
CREATE INDEX audit_by_account ON audit (account_id, seq);

-- Where an account is told what happens. Secrets are encrypted with the installation's secret.
CREATE TABLE event_destinations (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  -- URL, or address of e-mail; of a URL that is a secret itself, its host.
  address TEXT NOT NULL,
  -- Chosen types of events, and verdicts of signups, each between two spaces.
  types TEXT NOT NULL,
  verdicts TEXT NOT NULL,
  -- Hour of the account's day at which it gets a summary, NULL for none, and the day of the last one.
  digest_hour INTEGER,
  digest_day TEXT NOT NULL DEFAULT '',
  secret TEXT,
  previous_secret TEXT,
  previous_until INTEGER,
  created_at INTEGER NOT NULL,
  -- Signups from then on are told: when it was made, enabled, or got other types.
  since INTEGER NOT NULL,
  disabled_at INTEGER,
  disabled_reason TEXT,
  -- It is left alone until then, after a try that it did not answer.
  paused_until INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX event_destinations_by_account ON event_destinations (account_id, id);

-- What happened, and is to be told. Write to `new_events`.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  type TEXT NOT NULL,
  -- Id of what it is about. Events of one object are told in order.
  object TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- JSON, with nothing of a person.
  data TEXT NOT NULL
);
CREATE INDEX events_by_account ON events (account_id, seq);
CREATE INDEX events_by_object ON events (object);
CREATE INDEX events_by_time ON events (at);

-- An event on its way to one destination.
CREATE TABLE event_deliveries (
  event_seq INTEGER NOT NULL REFERENCES events (seq) ON DELETE CASCADE,
  destination_id TEXT NOT NULL REFERENCES event_destinations (id) ON DELETE CASCADE,
  object TEXT NOT NULL,
  -- `pending`, `delivered`, `failed`, or `dropped`: there is nothing to tell any more.
  state TEXT NOT NULL DEFAULT 'pending',
  tries INTEGER NOT NULL DEFAULT 0,
  -- Not to be tried before, milliseconds since the epoch: a try under way moves it past its own end.
  next_at INTEGER NOT NULL DEFAULT 0,
  -- Not to be tried after.
  until INTEGER NOT NULL,
  -- Outcome of the last try: when, the status of its answer, what went wrong.
  tried_at INTEGER,
  status INTEGER,
  problem TEXT,
  PRIMARY KEY (event_seq, destination_id)
) WITHOUT ROWID;
CREATE INDEX event_deliveries_by_destination ON event_deliveries (destination_id, event_seq);
CREATE INDEX event_deliveries_pending ON event_deliveries (destination_id, object, event_seq) WHERE state = 'pending';
CREATE INDEX event_deliveries_due ON event_deliveries (destination_id, next_at, event_seq) WHERE state = 'pending';

-- Whoever has something to tell inserts it here, in the transaction in which it happens: it is stored where a destination of
-- the account wants it. Without an id it gets one, without a time this
-- moment; with an id, it is stored once. `verdict` is that of a signup.
CREATE VIEW new_events AS SELECT id, account_id, type, object, at, data, '' AS verdict FROM events;
CREATE TRIGGER new_events_stored INSTEAD OF INSERT ON new_events BEGIN
  INSERT INTO events (id, account_id, type, object, at, data)
    SELECT coalesce(NEW.id, 'evt_' || lower(hex(randomblob(13)))), NEW.account_id, NEW.type, NEW.object,
      coalesce(NEW.at, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)), NEW.data
    WHERE EXISTS (SELECT 1 FROM event_destinations AS d
        WHERE d.account_id = NEW.account_id AND d.disabled_at IS NULL AND instr(d.types, ' ' || NEW.type || ' ') > 0
          AND (NEW.verdict IS NULL OR (instr(d.verdicts, ' ' || NEW.verdict || ' ') > 0 AND d.since <= NEW.at)))
      AND NOT EXISTS (SELECT 1 FROM events AS e WHERE e.id = NEW.id);
  INSERT INTO event_deliveries (event_seq, destination_id, object, until)
    SELECT last_insert_rowid(), d.id, NEW.object, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 86400000
    FROM event_destinations AS d
    WHERE changes() = 1 AND d.account_id = NEW.account_id AND d.disabled_at IS NULL
      AND instr(d.types, ' ' || NEW.type || ' ') > 0
      AND (NEW.verdict IS NULL OR (instr(d.verdicts, ' ' || NEW.verdict || ' ') > 0 AND d.since <= NEW.at));
END;

CREATE TRIGGER events_of_new_campaigns AFTER INSERT ON campaigns BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'campaign.opened', NEW.id, NEW.opened_at, json_object('scope', NEW.scope, 'scope_text', NEW.scope_text,
      'mark', NEW.mark, 'mark_text', NEW.mark_text, 'members', NEW.members, 'stopped', NEW.stopped, 'let_in', NEW.let_in,
      'since', NEW.since, 'last_at', NEW.last_at));
END;
-- One that opens again is told as one that opens. It grew when its members reached the next power of two.
CREATE TRIGGER events_of_campaigns AFTER UPDATE OF state, members ON campaigns
WHEN OLD.state <> NEW.state OR (NEW.members & ~OLD.members) > OLD.members BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, CASE WHEN OLD.state = NEW.state THEN 'campaign.grew' WHEN NEW.state = 'open' THEN 'campaign.opened' ELSE 'campaign.ended' END,
      NEW.id, CASE WHEN OLD.state <> NEW.state THEN coalesce(NEW.ended_at, NEW.decided_at, NEW.last_at) ELSE NEW.last_at END,
      json_object('scope', NEW.scope, 'scope_text', NEW.scope_text, 'mark', NEW.mark, 'mark_text', NEW.mark_text,
      'members', NEW.members, 'stopped', NEW.stopped, 'let_in', NEW.let_in, 'since', NEW.since, 'last_at', NEW.last_at,
      'ended_reason', NEW.ended_reason, 'ended_by', NEW.ended_by));
END;
CREATE TRIGGER events_of_new_feedback AFTER INSERT ON feedback WHEN NEW.account_id IS NOT NULL BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'feedback.created', NEW.request_id, NEW.at, json_object('outcome', NEW.outcome));
END;
CREATE TRIGGER events_of_feedback AFTER UPDATE OF outcome ON feedback
WHEN NEW.account_id IS NOT NULL AND OLD.outcome <> NEW.outcome BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'feedback.created', NEW.request_id, NEW.at, json_object('outcome', NEW.outcome));
END;
CREATE TRIGGER events_of_new_list_entries AFTER INSERT ON list_entries BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'list.changed', NEW.id, NEW.created_at, json_object('change', 'added', 'action', NEW.action,
      'kind', NEW.kind, 'value', CASE WHEN NEW.kind IN ('domain', 'cidr', 'asn', 'country') THEN NEW.shown END, 'reason', NEW.reason, 'by', NEW.author, 'expires_at', NEW.expires_at));
END;
CREATE TRIGGER events_of_list_entries AFTER UPDATE OF shown, reason, author, expires_at ON list_entries BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'list.changed', NEW.id, NULL,
      json_object('change', 'changed', 'action', NEW.action, 'kind', NEW.kind, 'value', CASE WHEN NEW.kind IN ('domain', 'cidr', 'asn', 'country') THEN NEW.shown END, 'reason', NEW.reason,
      'by', NEW.author, 'expires_at', NEW.expires_at));
END;
CREATE TRIGGER events_of_removed_list_entries AFTER DELETE ON list_entries BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (OLD.account_id, 'list.changed', OLD.id, NULL,
      json_object('change', 'removed', 'action', OLD.action, 'kind', OLD.kind, 'value', CASE WHEN OLD.kind IN ('domain', 'cidr', 'asn', 'country') THEN OLD.shown END, 'reason', OLD.reason,
      'expires_at', OLD.expires_at));
END;
CREATE TRIGGER events_of_new_keys AFTER INSERT ON keys BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'key.changed', NEW.id, NEW.created_at,
      json_object('change', 'created', 'name', NEW.name, 'mode', NEW.mode, 'prefix', NEW.prefix, 'enforced_share',
      NEW.enforced_share));
END;
CREATE TRIGGER events_of_keys AFTER UPDATE OF name, challenge, block, enforced_share, hash, previous_until, expires_at, allowed_ranges,
  revoked_at ON keys BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'key.changed', NEW.id, NULL,
      json_object('change', CASE WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL THEN 'revoked'
        WHEN NEW.hash <> OLD.hash THEN 'rotated' ELSE 'changed' END,
      'name', NEW.name, 'mode', NEW.mode, 'prefix', NEW.prefix, 'enforced_share',
      NEW.enforced_share));
END;
