-- Versions that every node compares, to notice what others changed. Each grows within the changing transaction, whose lock on
-- the row makes versions commit in order.
CREATE TABLE meta (
  name text COLLATE "C" PRIMARY KEY,
  value bigint NOT NULL
);
INSERT INTO meta (name, value) VALUES
  -- Of accounts, keys, hooks, tokens and policies.
  ('directory_version', 0),
  -- Of accounts' own lists.
  ('lists_version', 0),
  ('mail_hosts_version', 0),
  ('hash_keys_version', 0),
  ('campaigns_version', 0),
  ('mailboxes_version', 0),
  -- Grows with each erasure that removes addresses of mailboxes.
  ('mailbox_removals_version', 0),
  -- Instant up to which stored signups were made events, milliseconds since the epoch.
  ('signup_events_until', 0);

-- The next version of what changes, for the change that asks for it; nodes hear of it at its commit.
CREATE FUNCTION gatehouse_next_1(what text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  version bigint;
BEGIN
  UPDATE meta SET value = value + 1 WHERE name = what || '_version' RETURNING value INTO STRICT version;
  PERFORM pg_notify('gatehouse', what);
  RETURN version;
END $$;

-- The installation's secret, or only what tells one secret from another where the operator keeps it elsewhere.
CREATE TABLE installation (
  name text COLLATE "C" PRIMARY KEY,
  value bytea NOT NULL
);

-- What may happen once only, such as the use of a link; the first to write a name has it.
CREATE TABLE once (
  name text COLLATE "C" PRIMARY KEY,
  at bigint NOT NULL
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
  time_zone text NOT NULL,
  created_at bigint NOT NULL,
  version bigint NOT NULL
);
CREATE INDEX accounts_by_version ON accounts (version);

-- Accounts that are being deleted, and the hashes of the ids of those that were. A hash stays: a node that was stopped
-- when the account was deleted learns of it when it goes on.
CREATE TABLE account_deletions (
  -- SHA-256 of the id, hex.
  hash text COLLATE "C" PRIMARY KEY,
  -- NULL once nothing of the account is left.
  id text COLLATE "C",
  -- When it began, milliseconds since the epoch.
  at bigint NOT NULL,
  -- Of the directory.
  version bigint NOT NULL
);
CREATE INDEX account_deletions_by_version ON account_deletions (version);

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
  version bigint NOT NULL,
  -- Percent of all people whose signups are answered with the verdict; the others with allow, whatever the verdict is.
  enforced_share int NOT NULL DEFAULT 100 CHECK (enforced_share BETWEEN 0 AND 100),
  -- When its secret was last replaced. The secret that it replaced is refused from `previous_until` on.
  rotated_at bigint,
  previous_hash text COLLATE "C" UNIQUE,
  previous_prefix text,
  previous_used_at bigint,
  previous_until bigint,
  expires_at bigint,
  -- CIDR blocks that its callers must be in, separated by spaces.
  allowed_ranges text
);
CREATE INDEX keys_by_version ON keys (version);

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
CREATE INDEX list_entries_by_expiry ON list_entries (account_id, expires_at) WHERE expires_at IS NOT NULL;

-- Ids only: a running node learns from them what is gone, and nothing is kept of what the entry said.
CREATE TABLE list_removals (
  id text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL
);
CREATE INDEX list_removals_by_version ON list_removals (version);

-- What operators decided about mail hosts; few, and kept for ever.
CREATE TABLE mail_host_decisions (
  key text COLLATE "C" PRIMARY KEY,
  generation bigint NOT NULL,
  never_flag boolean NOT NULL,
  author text NOT NULL,
  at bigint NOT NULL,
  version bigint NOT NULL
);
CREATE INDEX mail_host_decisions_by_version ON mail_host_decisions (version);

-- Waves of signups. Shares are in millionths, odds in tenths of a power of ten: whole numbers are the same in both databases.
CREATE TABLE campaigns (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  key text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  scope_text text COLLATE "C" NOT NULL,
  mark text COLLATE "C" NOT NULL,
  mark_text text COLLATE "C" NOT NULL,
  members bigint NOT NULL,
  stopped bigint NOT NULL,
  let_in bigint NOT NULL,
  usual_ppm bigint NOT NULL,
  decades_tenths bigint NOT NULL,
  families text COLLATE "C" NOT NULL,
  networks bigint NOT NULL,
  hosting bigint NOT NULL,
  since bigint NOT NULL,
  opened_at bigint NOT NULL,
  last_at bigint NOT NULL,
  good_reports bigint NOT NULL DEFAULT 0,
  fraud_reports bigint NOT NULL DEFAULT 0,
  state text COLLATE "C" NOT NULL DEFAULT 'open',
  ended_at bigint,
  ended_by text,
  ended_reason text COLLATE "C",
  decision text COLLATE "C" NOT NULL DEFAULT '',
  decided_at bigint,
  decided_by text NOT NULL DEFAULT '',
  decided_note text NOT NULL DEFAULT '',
  version bigint NOT NULL
);
CREATE INDEX campaigns_by_version ON campaigns (version, id);
CREATE INDEX campaigns_by_account ON campaigns (account_id, id);
CREATE UNIQUE INDEX campaigns_open ON campaigns (account_id, key) WHERE state = 'open';

-- Reports of members, one each: the counts of a campaign are made from them.
CREATE TABLE campaign_reports (
  request_id text COLLATE "C" PRIMARY KEY,
  campaign_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  at bigint NOT NULL
);
CREATE INDEX campaign_reports_by_campaign ON campaign_reports (campaign_id, outcome);
CREATE INDEX campaign_reports_by_account ON campaign_reports (account_id);

-- Actions of people about attacks, each with an encrypted text that takes it back.
CREATE TABLE attack_actions (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  attack text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  undo text NOT NULL
);
CREATE INDEX attack_actions_by_attack ON attack_actions (account_id, attack, at);
CREATE INDEX attack_actions_by_time ON attack_actions (at);

-- The newest recall of each account, which judges again who was let in.
CREATE TABLE recall_runs (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES accounts (id),
  id text COLLATE "C" NOT NULL,
  -- Day by the account's clock of the last one that began at its hour.
  day text COLLATE "C" NOT NULL,
  -- When somebody asked for another one; NULL: nobody did.
  requested_at bigint,
  began_at bigint NOT NULL,
  -- NULL: under way.
  ended_at bigint,
  since bigint NOT NULL,
  -- Signups from then on were judged.
  reached_at bigint NOT NULL,
  judged bigint NOT NULL,
  partial int NOT NULL,
  -- Process that has the lease.
  holder text COLLATE "C" NOT NULL,
  lease_until bigint NOT NULL
);

-- Signups that were let in, and would not come in now. `run` is the recall that found them last.
CREATE TABLE recalled_signups (
  request_id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  run text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  old_verdict text COLLATE "C" NOT NULL,
  old_score int NOT NULL,
  new_verdict text COLLATE "C" NOT NULL,
  new_score int NOT NULL,
  cause text COLLATE "C" NOT NULL,
  cause_id text COLLATE "C" NOT NULL,
  finding text COLLATE "C" NOT NULL,
  found_at bigint NOT NULL,
  -- When somebody saw that there is nothing to do.
  seen_at bigint
);
CREATE INDEX recalled_signups_by_account ON recalled_signups (account_id, at, request_id);
CREATE INDEX recalled_signups_by_time ON recalled_signups (at);

-- Admin APIs at which accounts of people who got in can be held.
CREATE TABLE provider_connections (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  kind text NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  client_id text,
  realm text,
  secret text NOT NULL,
  -- Accounts a second, at most.
  per_second int NOT NULL,
  -- Whether the session id of a signup is its user id at the provider.
  session_is_user boolean NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX provider_connections_by_account ON provider_connections (account_id, id);

-- Jobs that hold accounts at a provider, or release them.
CREATE TABLE takeback_jobs (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  -- NULL: its accounts are only listed. It may have been removed since.
  connection_id text COLLATE "C",
  name text NOT NULL,
  attack text COLLATE "C",
  author text NOT NULL,
  -- `hold` or `release`.
  phase text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  problem text,
  -- Not to be continued before.
  next_at bigint NOT NULL DEFAULT 0,
  -- A process works on it until then; `run` is the number of its turn.
  lease_until bigint NOT NULL DEFAULT 0,
  run int NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  ended_at bigint
);
CREATE INDEX takeback_jobs_by_account ON takeback_jobs (account_id, id);
CREATE INDEX takeback_jobs_running ON takeback_jobs (next_at) WHERE state = 'running';
CREATE INDEX takeback_jobs_by_time ON takeback_jobs (created_at);

-- Accounts of these jobs, each with the signup that it came from.
CREATE TABLE takeback_accounts (
  job_id text COLLATE "C" NOT NULL REFERENCES takeback_jobs (id) ON DELETE CASCADE,
  request_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  session_id text,
  at bigint NOT NULL,
  -- Id at the provider.
  user_id text,
  state text COLLATE "C" NOT NULL,
  -- JSON of what it was, written before it is held, and never changed.
  before_hold text,
  tries int NOT NULL DEFAULT 0,
  next_at bigint NOT NULL DEFAULT 0,
  problem text,
  PRIMARY KEY (job_id, request_id)
);
CREATE INDEX takeback_accounts_by_state ON takeback_accounts (job_id, state, next_at);
CREATE INDEX takeback_accounts_by_account ON takeback_accounts (account_id);
CREATE INDEX takeback_accounts_by_request ON takeback_accounts (request_id);

-- Addresses of mailboxes that signed up with another spelling than their own, by keyed hashes; days are counted since the epoch.
CREATE TABLE mailbox_addresses (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  mailbox text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  last_day bigint NOT NULL,
  -- Whether all its signups were answered with block.
  blocked boolean NOT NULL,
  -- Whether one of them was reported as a good customer's.
  good boolean NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (account_id, mailbox, address)
);
CREATE INDEX mailbox_addresses_by_version ON mailbox_addresses (version);
CREATE INDEX mailbox_addresses_by_day ON mailbox_addresses (last_day);

-- Domains of which ordinary people have come for weeks. With 0 people a domain is usual no more. Changes get a version of campaigns.
CREATE TABLE usual_domains (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  domain text COLLATE "C" NOT NULL,
  people bigint NOT NULL,
  networks bigint NOT NULL,
  since bigint NOT NULL,
  last_at bigint NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (account_id, domain)
);
CREATE INDEX usual_domains_by_version ON usual_domains (version, account_id, domain);
CREATE INDEX usual_domains_by_time ON usual_domains (last_at);

-- What is unusual, or was. An empty account: the installation. Of each subject one alert at most is open.
CREATE TABLE alerts (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  since bigint NOT NULL,
  opened_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  closed_at bigint,
  count bigint NOT NULL,
  total bigint NOT NULL,
  usual_thousandths bigint NOT NULL,
  -- JSON: values that most of the signups share.
  shares text COLLATE "C" NOT NULL,
  note text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX alerts_open ON alerts (account_id, kind, subject) WHERE closed_at IS NULL;
CREATE INDEX alerts_by_account ON alerts (account_id, id);
CREATE INDEX alerts_by_end ON alerts (closed_at);

-- The keys that addresses are hashed with, since the first rotation: the newest hashes, all of them find. They are encrypted
-- with the installation's secret; the one without a text is that secret itself.
CREATE TABLE hash_keys (
  number bigint PRIMARY KEY,
  encrypted text COLLATE "C",
  created_at bigint NOT NULL,
  version bigint NOT NULL
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
  -- It was answered with allow, whatever the verdict is.
  shadow boolean NOT NULL DEFAULT false,
  -- What it found.
  facts text NOT NULL,
  PRIMARY KEY (request_id)
) PARTITION BY RANGE (request_id);

-- The detector of the main finding: of the first one, which is the heaviest, if it has at least five points; or the Allow list.
-- Empty: there is none. The same as `model/main-finding.ts`.
CREATE FUNCTION gatehouse_finding_1(facts text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN starts_with(split_part(facts, ',[', 2), '"') THEN
      CASE WHEN split_part(split_part(facts, ',[', 2), ',', 2) ~ '^([5-9]|[1-9][0-9])'
        THEN btrim(split_part(split_part(facts, ',[', 2), ',', 1), '"') ELSE '' END
    WHEN strpos(facts, ',"list",[') > 0 THEN 'allow_list'
    ELSE ''
  END
$$;

-- Everything that is searched newest first without a property (verdict, reason, score, country, key: common, so soon found),
-- and what is added up.
CREATE INDEX assessments_by_time ON assessments (account_id, at, seq);
CREATE INDEX assessments_by_shadow ON assessments (account_id, at, seq) WHERE shadow;

-- Finds signups by a property: a summary of every few pages says which values they may have. Pages that are not summarized
-- yet are always read, so nothing is missed, and an assessment pays next to nothing: it is cheaper to look through some pages
-- when somebody asks than to put each signup into five indexes. A value stands in a summary as a hash with its account's, so
-- no account searches the pages of another one's signups. Of a network the last digits are left out: then an IPv4 address
-- stands for its /24, which people search for, too.
CREATE INDEX assessments_by_block ON assessments USING brin (
  at int8_minmax_ops,
  hashtextextended(email_domain, hashtextextended(account_id, 0))
    int8_bloom_ops (n_distinct_per_range = 400, false_positive_rate = 0.002),
  hashtextextended(rtrim(network, '0123456789'), hashtextextended(account_id, 0))
    int8_bloom_ops (n_distinct_per_range = 400, false_positive_rate = 0.002),
  hashtextextended(mailbox_hash, hashtextextended(account_id, 0))
    int8_bloom_ops (n_distinct_per_range = 400, false_positive_rate = 0.002),
  hashtextextended(session_id, hashtextextended(account_id, 0))
    int8_bloom_ops (n_distinct_per_range = 400, false_positive_rate = 0.002),
  hashint8extended(asn, hashtextextended(account_id, 0))
    int8_bloom_ops (n_distinct_per_range = 400, false_positive_rate = 0.002)
) WITH (pages_per_range = 32);

CREATE TABLE feedback (
  request_id text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  note text,
  key_id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  -- Copies from the assessment it is about, to find feedback by account and time.
  account_id text COLLATE "C",
  assessed_at bigint,
  seq bigint,
  PRIMARY KEY (request_id)
) PARTITION BY RANGE (request_id);
-- Searches for feedback and labels, by when the assessment was made.
CREATE INDEX feedback_by_assessment ON feedback (account_id, assessed_at, seq);
-- What was reported last.
CREATE INDEX feedback_by_time ON feedback (account_id, at, request_id);

-- What became of challenges that were passed on to a visitor or redeemed; `assessed_at` is a copy, to count by time.
CREATE TABLE challenges (
  request_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  mode text COLLATE "C" NOT NULL,
  assessed_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  at bigint NOT NULL,
  status text COLLATE "C" NOT NULL,
  method text COLLATE "C",
  return_url text,
  -- Who was told the result: a keyed hash of an idempotency key, empty without one, NULL while nobody was.
  redeemer text COLLATE "C",
  attempts int NOT NULL,
  PRIMARY KEY (request_id)
) PARTITION BY RANGE (request_id);
CREATE INDEX challenges_by_assessment ON challenges (account_id, mode, assessed_at, status);

-- Requests with an idempotency key: reserved by a node, then stored with what they wrote; removed after a day.
CREATE TABLE idempotency (
  account_id text COLLATE "C" NOT NULL,
  mode text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  key_hash text COLLATE "C" NOT NULL,
  body_digest text COLLATE "C" NOT NULL,
  request_id text COLLATE "C" NOT NULL UNIQUE,
  at bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  answer text COLLATE "C",
  PRIMARY KEY (account_id, mode, operation, key_hash)
) WITH (fillfactor = 80);
CREATE INDEX idempotency_by_time ON idempotency (at);

-- Who was erased, as keyed hashes alone, divided by spaces: a restored database is compared with a newer list of them.
CREATE TABLE erasures (
  account_id text COLLATE "C" NOT NULL,
  stored_until bigint NOT NULL,
  hashes text COLLATE "C" NOT NULL,
  applied_at bigint,
  -- Who asked for it, as the audit log names them; NULL once it is ended, or where only a list names it.
  noted_by text,
  PRIMARY KEY (account_id, stored_until, hashes)
);

-- Locks the credits of a batch, admits records in their order up to each one's cap, and charges what was admitted. For each
-- record it gives the credits used after it, or -1 less those when the cap refused it.
-- `pairs`: where in pair_accounts and pair_months, which are sorted and distinct, a record's credits stand.
-- Nodes lock credits in that order, so none waits for another in a circle. `fresh`: rows of credits may be missing.
CREATE FUNCTION gatehouse_charge_1(
  fresh boolean, pair_accounts text[], pair_months text[], pairs int[], charges int[], caps bigint[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  used_ bigint[];
  before bigint[];
  results bigint[] := caps;
  pair int;
BEGIN
  IF fresh THEN
    INSERT INTO credits (account_id, month, used)
      SELECT a, m, 0 FROM unnest(pair_accounts, pair_months) WITH ORDINALITY AS p (a, m, place) ORDER BY place
      ON CONFLICT DO NOTHING;
  END IF;
  SELECT array_agg(c.used ORDER BY c.place) INTO before FROM (
    SELECT credits.used, place
    FROM unnest(pair_accounts, pair_months) WITH ORDINALITY AS p (a, m, place)
      JOIN credits ON account_id = a AND month = m
    ORDER BY place FOR UPDATE OF credits
  ) AS c;
  IF cardinality(before) IS DISTINCT FROM cardinality(pair_accounts) THEN
    RAISE EXCEPTION 'a row of credits is missing' USING ERRCODE = 'GH001';
  END IF;
  used_ := before;
  FOR place IN 1 .. cardinality(pairs) LOOP
    pair := pairs[place];
    IF charges[place] = 1 AND caps[place] <= used_[pair] THEN
      results[place] := -1 - used_[pair];
    ELSE
      used_[pair] := used_[pair] + charges[place];
      results[place] := used_[pair];
    END IF;
  END LOOP;
  UPDATE credits SET used = given.used
    FROM unnest(pair_accounts, pair_months, used_, before) AS given (a, m, used, before)
    WHERE account_id = a AND month = m AND given.used <> given.before;
  RETURN results;
END $$;

-- Charges the credits of a batch in which no cap seems near, in the order that all nodes lock credits in, and gives for each
-- record the credits used after it. For a few accounts only: each costs a statement.
CREATE FUNCTION gatehouse_charge_few_1(
  fresh boolean, pair_accounts text[], pair_months text[], pairs int[], charges int[], caps bigint[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  charged bigint[] := array_fill(0::bigint, ARRAY[cardinality(pair_accounts)]);
  results bigint[] := caps;
  before bigint;
BEGIN
  FOR place IN 1 .. cardinality(pairs) LOOP
    charged[pairs[place]] := charged[pairs[place]] + charges[place];
    results[place] := charged[pairs[place]];
  END LOOP;
  FOR pair IN 1 .. cardinality(pair_accounts) LOOP
    IF fresh THEN
      INSERT INTO credits (account_id, month, used) VALUES (pair_accounts[pair], pair_months[pair], 0)
        ON CONFLICT DO NOTHING;
    END IF;
    UPDATE credits SET used = used + charged[pair]
      WHERE account_id = pair_accounts[pair] AND month = pair_months[pair]
      RETURNING used - charged[pair] INTO before;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'a row of credits is missing' USING ERRCODE = 'GH001';
    END IF;
    charged[pair] := before;
  END LOOP;
  FOR place IN 1 .. cardinality(pairs) LOOP
    results[place] := results[place] + charged[pairs[place]];
    IF charges[place] = 1 AND results[place] > caps[place] THEN
      RAISE EXCEPTION 'a cap was near' USING ERRCODE = 'GH002';
    END IF;
  END LOOP;
  RETURN results;
END $$;

-- One batch of a node, in one transaction: charges as above, stores what was admitted, and saves feedback.
-- `roomy`: no cap seems near. Then credits are locked last, for the length of a commit only, so that the batches of a busy
-- account go side by side; where a cap was near after all, nothing is stored and the batch comes again without it.
-- `cells`: what the records have besides their credits, 21 texts of each record, in the order of the columns below. Each
-- further array would cost a batch as much as some rows do.
-- `keyed_ids`: records with idempotency keys. If another node took over the key of one of them, nothing is stored: the error
-- says that a row is bad, and the batch is committed again without it. A record that the cap refused leaves no key.
CREATE FUNCTION gatehouse_commit_1(
  roomy boolean, fresh boolean, pair_accounts text[], pair_months text[], pairs int[], charges int[], caps bigint[],
  cells text[],
  feedback_ids text[], outcomes text[], notes text[], feedback_keys text[], feedback_ats bigint[],
  keyed_ids text[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  results bigint[];
  held bigint;
BEGIN
  IF cardinality(keyed_ids) > 0 THEN
    UPDATE idempotency SET state = 'stored' WHERE request_id = ANY (keyed_ids) AND state = 'reserved';
    GET DIAGNOSTICS held = ROW_COUNT;
    IF held <> cardinality(keyed_ids) THEN
      RAISE EXCEPTION 'another request took over an idempotency key' USING ERRCODE = '23G01';
    END IF;
  END IF;
  IF cardinality(pairs) > 0 THEN
    IF NOT roomy THEN
      results := gatehouse_charge_1(fresh, pair_accounts, pair_months, pairs, charges, caps);
    END IF;
    INSERT INTO assessments (request_id, seq, account_id, key_id, mode, at, verdict, score, reasons, email_domain,
        address_hash, mailbox_hash, email_masked, email, ip, network, country_code, asn, session_id, processed_ms, weights,
        shadow, facts)
      SELECT cells[c + 1], nextval('assessment_seq'), cells[c + 2], cells[c + 3],
        CASE charges[place] WHEN 1 THEN 'live' ELSE 'test' END, cells[c + 4]::bigint, cells[c + 5], cells[c + 6]::int,
        cells[c + 7], cells[c + 8], cells[c + 9], cells[c + 10], cells[c + 11], cells[c + 12], cells[c + 13], cells[c + 14],
        cells[c + 15], cells[c + 16]::bigint, cells[c + 17], cells[c + 18]::int, cells[c + 19]::real[],
        cells[c + 20] = '1', cells[c + 21]
      FROM generate_series(1, cardinality(pairs)) AS place, LATERAL (SELECT (place - 1) * 21 AS c) AS start
      WHERE roomy OR results[place] >= 0;
    IF roomy AND cardinality(pair_accounts) <= 4 THEN
      results := gatehouse_charge_few_1(fresh, pair_accounts, pair_months, pairs, charges, caps);
    ELSIF roomy THEN
      results := gatehouse_charge_1(fresh, pair_accounts, pair_months, pairs, charges, caps);
      IF 0 > ANY (results) THEN
        RAISE EXCEPTION 'a cap was near' USING ERRCODE = 'GH002';
      END IF;
    END IF;
  END IF;
  IF cardinality(keyed_ids) > 0 AND 0 > ANY (results) THEN
    DELETE FROM idempotency WHERE request_id = ANY (keyed_ids) AND request_id IN (
      SELECT cells[(place - 1) * 21 + 1] FROM generate_series(1, cardinality(pairs)) AS place WHERE results[place] < 0
    );
  END IF;
  IF cardinality(feedback_ids) > 0 THEN
    INSERT INTO feedback (request_id, outcome, note, key_id, at, account_id, assessed_at, seq)
      SELECT given.id, given.outcome, given.note, given.key_id, given.at, a.account_id, a.at, a.seq
      FROM unnest(feedback_ids, outcomes, notes, feedback_keys, feedback_ats) AS given (id, outcome, note, key_id, at)
        LEFT JOIN LATERAL (
          SELECT account_id, at, seq FROM assessments WHERE request_id = given.id OFFSET 0
        ) AS a ON true
      ON CONFLICT (request_id) DO UPDATE SET
        outcome = excluded.outcome, note = excluded.note, key_id = excluded.key_id, at = excluded.at;
  END IF;
  RETURN results;
END $$;

-- Undoes records whose callers got an error, with their credits and keys; but not what a repeated request was answered with
-- since.
CREATE FUNCTION gatehouse_undo_1(ids text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  gone record;
  total bigint := 0;
BEGIN
  DELETE FROM idempotency WHERE request_id = ANY (ids) AND state <> 'replayed';
  FOR gone IN
    WITH deleted AS (
      DELETE FROM assessments WHERE request_id = ANY (ids)
        AND request_id NOT IN (SELECT request_id FROM idempotency WHERE request_id = ANY (ids))
      RETURNING account_id, mode, at
    )
    SELECT account_id, to_char(to_timestamp(at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM') AS month,
      count(*) AS records, count(*) FILTER (WHERE mode = 'live') AS credits
    FROM deleted GROUP BY 1, 2 ORDER BY 1, 2
  LOOP
    UPDATE credits SET used = used - gone.credits WHERE account_id = gone.account_id AND month = gone.month;
    total := total + gone.records;
  END LOOP;
  RETURN total;
END $$;

-- What finished half hours of busy accounts came to. A slot has either a row for each mode or none; where it has none, its
-- assessments are added up when somebody asks. Deleting rows is always safe.
CREATE TABLE tallies (
  account_id text COLLATE "C" NOT NULL,
  slot int NOT NULL,
  mode text COLLATE "C" NOT NULL,
  -- Of one length. A name is a kind and a value: `verdict allow`, `reason ip_hosting`, `finding vpn`, `latency 64`; `given
  -- ip_hosting` and `stopped vpn` for a reason and a main finding of an assessment that was challenged or blocked. In shadow
  -- mode, where the answer was allow: `verdict block shadow`, `observed vpn`.
  names text[] COLLATE "C" NOT NULL,
  counts bigint[] NOT NULL,
  weights float8[] NOT NULL,
  PRIMARY KEY (account_id, slot, mode)
);

-- An assessment that comes (or goes) later than its slot may be tallied takes the tally away again, in its own
-- transaction. It shares a lock with all its like that a tally is made under alone: so the one that comes second sees what
-- the first has done. 64 locks serve all slots. A slot is tallied a minute after the last assessment that passes this by.
CREATE FUNCTION gatehouse_untally() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  late record := coalesce(NEW, OLD);
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7126020, (late.at / 1800000 % 64)::int);
  DELETE FROM tallies WHERE account_id = late.account_id AND slot = late.at / 1800000;
  RETURN NULL;
END $$;
CREATE TRIGGER untally_added AFTER INSERT ON assessments FOR EACH ROW
  WHEN (NEW.at < extract(epoch FROM clock_timestamp()) * 1000 - 120000) EXECUTE FUNCTION gatehouse_untally();
CREATE TRIGGER untally_removed AFTER DELETE ON assessments FOR EACH ROW EXECUTE FUNCTION gatehouse_untally();

-- The smallest latency of the bucket that a latency falls into: whole milliseconds below 64, then 16 for each doubling.
CREATE FUNCTION gatehouse_latency_bucket(ms int) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN ms < 64 THEN ms ELSE ms - ms % (1 << (floor(ln(ms::float8) / ln(2::float8) + 1e-10)::int - 4)) END
$$;

-- Adds up the assessments of an account in whole slots, `past` outside; of one mode or of both.
CREATE FUNCTION gatehouse_add_up_1(account text, wanted text, first int, past int)
RETURNS TABLE (slot int, mode text, name text, count bigint, weight float8) LANGUAGE sql STABLE AS $$
  WITH own AS MATERIALIZED (
    SELECT (a.at / 1800000)::int AS slot, a.mode, a.verdict, a.shadow, a.reasons, a.weights, a.processed_ms,
      gatehouse_finding_1(a.facts) AS finding
    FROM assessments AS a
    WHERE a.account_id = account AND a.at >= first::bigint * 1800000 AND a.at < past::bigint * 1800000
      AND (wanted IS NULL OR a.mode = wanted)
  ), alike AS MATERIALIZED (
    SELECT slot, mode, verdict, shadow, reasons, weights, count(*) AS count FROM own GROUP BY 1, 2, 3, 4, 5, 6
  ), reason AS MATERIALIZED (
    SELECT slot, mode, verdict, code, sum(count)::bigint AS count, sum(count * weight) AS weight
    FROM alike, unnest(string_to_array(reasons, ' '), weights) AS u (code, weight)
    WHERE reasons <> '' GROUP BY 1, 2, 3, 4
  )
  SELECT slot, mode, 'verdict ' || verdict || CASE WHEN shadow THEN ' shadow' ELSE '' END, sum(count)::bigint, 0::float8
  FROM alike GROUP BY 1, 2, 3
  UNION ALL
  SELECT slot, mode, 'finding ' || finding, count(*), 0 FROM own WHERE finding <> '' GROUP BY 1, 2, 3
  UNION ALL
  SELECT slot, mode, CASE WHEN shadow THEN 'observed ' ELSE 'stopped ' END || finding, count(*), 0
    FROM own WHERE finding <> '' AND verdict <> 'allow' GROUP BY 1, 2, 3
  UNION ALL
  SELECT slot, mode, 'latency ' || gatehouse_latency_bucket(processed_ms), sum(count)::bigint, 0 FROM (
    SELECT slot, mode, processed_ms, count(*) AS count FROM own WHERE processed_ms >= 0 GROUP BY 1, 2, 3
  ) AS took GROUP BY 1, 2, 3
  UNION ALL
  SELECT slot, mode, 'reason ' || code, sum(count)::bigint, coalesce(sum(weight), 0) FROM reason GROUP BY 1, 2, 3
  UNION ALL
  SELECT slot, mode, 'given ' || code, sum(count)::bigint, 0 FROM reason WHERE verdict <> 'allow' GROUP BY 1, 2, 3
$$;

-- The same from tallies where there are some, and from assessments in the gaps between them: at one moment.
CREATE FUNCTION gatehouse_traffic_1(account text, wanted text, first int, past int)
RETURNS TABLE (slot int, mode text, name text, count bigint, weight float8) LANGUAGE sql STABLE AS $$
  WITH tallied AS MATERIALIZED (
    SELECT * FROM tallies AS t WHERE t.account_id = account AND t.slot >= first AND t.slot < past
  ), gaps AS MATERIALIZED (
    SELECT after + 1 AS first, before AS past FROM (
      SELECT lag(edge, 1, first - 1) OVER (ORDER BY edge) AS after, edge AS before
      FROM (SELECT DISTINCT t.slot AS edge FROM tallied AS t UNION ALL SELECT past) AS edges
    ) AS steps WHERE before > after + 1
  )
  SELECT t.slot, t.mode, u.* FROM tallied AS t, unnest(t.names, t.counts, t.weights) AS u
  WHERE wanted IS NULL OR t.mode = wanted
  UNION ALL
  SELECT live.* FROM gaps, gatehouse_add_up_1(account, wanted, gaps.first, gaps.past) AS live
$$;

-- Tallies those of the slots that are over, not tallied yet, and worth it; tells how many another was busy with.
CREATE FUNCTION gatehouse_tally_1(account text, first int, past int, enough int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  over int := floor((extract(epoch FROM clock_timestamp()) - 180) / 1800);
  busy int := 0;
BEGIN
  FOR one IN first .. least(past, over) - 1 LOOP
    CONTINUE WHEN EXISTS (SELECT FROM tallies AS t WHERE t.account_id = account AND t.slot = one);
    CONTINUE WHEN (SELECT count(*) < enough FROM (
      SELECT FROM assessments AS a
      WHERE a.account_id = account AND a.at >= one::bigint * 1800000 AND a.at < (one + 1)::bigint * 1800000 LIMIT enough
    ) AS looked);
    IF NOT pg_try_advisory_xact_lock(7126020, one % 64) THEN
      busy := busy + 1;
      CONTINUE;
    END IF;
    -- Another may have done it while this one looked.
    INSERT INTO tallies (account_id, slot, mode, names, counts, weights)
    SELECT account, one, m.mode, coalesce(array_agg(s.name) FILTER (WHERE s.name IS NOT NULL), '{}'),
      coalesce(array_agg(s.count) FILTER (WHERE s.name IS NOT NULL), '{}'),
      coalesce(array_agg(s.weight) FILTER (WHERE s.name IS NOT NULL), '{}')
    FROM (VALUES ('live'), ('test')) AS m (mode)
      LEFT JOIN gatehouse_add_up_1(account, NULL, one, one + 1) AS s ON s.mode = m.mode
    GROUP BY m.mode
    ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN busy;
END $$;

-- What is known from elsewhere is bounded: by expiry, and by a count that is always exact.
CREATE TABLE knowledge (
  name text COLLATE "C" PRIMARY KEY,
  text text NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX knowledge_by_expiry ON knowledge (expires_at);

-- One row that every batch changes: room on the page keeps its versions there.
CREATE TABLE knowledge_size (
  id int PRIMARY KEY CHECK (id = 1),
  entries bigint NOT NULL,
  bytes bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO knowledge_size (id, entries, bytes) VALUES (1, 0, 0);

-- Once a statement. The row of the count is the last that a statement locks, so nobody who has it waits for another.
CREATE FUNCTION gatehouse_knowledge_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE knowledge_size SET entries = knowledge_size.entries + added.entries, bytes = knowledge_size.bytes + added.bytes
    FROM (SELECT count(*) AS entries, sum(octet_length(name) + octet_length(text)) AS bytes FROM changed) AS added
    WHERE added.entries > 0;
  RETURN NULL;
END $$;
CREATE FUNCTION gatehouse_knowledge_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE knowledge_size SET bytes = knowledge_size.bytes + added.bytes - removed.bytes
    FROM (SELECT sum(octet_length(name) + octet_length(text)) AS bytes FROM changed) AS added,
      (SELECT sum(octet_length(name) + octet_length(text)) AS bytes FROM before) AS removed
    WHERE added.bytes <> removed.bytes;
  RETURN NULL;
END $$;
CREATE FUNCTION gatehouse_knowledge_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE knowledge_size SET entries = knowledge_size.entries - removed.entries,
      bytes = knowledge_size.bytes - removed.bytes
    FROM (SELECT count(*) AS entries, sum(octet_length(name) + octet_length(text)) AS bytes FROM before) AS removed
    WHERE removed.entries > 0;
  RETURN NULL;
END $$;

-- These wait for writers and keep them out until the count is there.
CREATE TRIGGER knowledge_added AFTER INSERT ON knowledge REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION gatehouse_knowledge_added();
CREATE TRIGGER knowledge_changed AFTER UPDATE ON knowledge REFERENCING NEW TABLE AS changed OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION gatehouse_knowledge_changed();
CREATE TRIGGER knowledge_removed AFTER DELETE ON knowledge REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION gatehouse_knowledge_removed();

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
  operator boolean NOT NULL DEFAULT false,
  -- Several users may claim an address that nobody verified: all but one have a made-up email, by which sign-in knows them.
  address text COLLATE "C",
  -- Whose invitation made the user, and the account it was for.
  invited_by text,
  home_account text COLLATE "C"
);
CREATE INDEX auth_users_by_address ON auth_users ((coalesce(address, email)));

-- How long a session lasts is decided by its creation and its last use; the library, which knows only the wall clock, ends none.
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

-- Filters of signups that people saved, each for herself; few.
CREATE TABLE saved_filters (
  user_id text COLLATE "C" NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  name text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  query text NOT NULL,
  PRIMARY KEY (user_id, account_id, name)
);
CREATE INDEX saved_filters_by_account ON saved_filters (account_id);

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

CREATE TABLE audit (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  actor text NOT NULL,
  account_id text COLLATE "C",
  action text NOT NULL,
  target text NOT NULL,
  detail text NOT NULL,
  -- Whom a list entry in the log is about: the keyed hash of an address, or an IP. A masked address fits many people, and an
  -- erasure takes out one of them.
  subject text
);
CREATE INDEX audit_by_account ON audit (account_id, seq);

-- Feeds and snapshots, written by whoever holds the lock for one round.
-- Build: a release with its bundled snapshot. Other builds may read the same feed otherwise, and have states of their own.
CREATE TABLE feed_states (
  build text COLLATE "C" NOT NULL,
  feed text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  state text NOT NULL,
  versions text[] NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (feed, build, url)
);

-- As fetched, packed; named by what they hold, so builds share them.
CREATE TABLE feed_versions (
  feed text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (feed, version)
);

CREATE TABLE feed_departures (
  feed text COLLATE "C" PRIMARY KEY,
  bytes bytea NOT NULL
);

-- Scope: a build and the feeds that are on. Nodes of one scope answer from one snapshot.
CREATE TABLE intel_snapshots (
  scope text COLLATE "C" PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  key text NOT NULL,
  base text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  bytes bytea NOT NULL
);

-- All of it is packed already, and is read in pieces.
ALTER TABLE feed_versions ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE feed_departures ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE intel_snapshots ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Where an account is told what happens. Secrets are encrypted with the installation's secret.
CREATE TABLE event_destinations (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  kind text NOT NULL,
  name text NOT NULL,
  -- URL, or address of e-mail; of a URL that is a secret itself, its host.
  address text NOT NULL,
  -- Chosen types of events, and verdicts of signups, each between two spaces.
  types text NOT NULL,
  verdicts text NOT NULL,
  -- Hour of the account's day at which it gets a summary, NULL for none, and the day of the last one.
  digest_hour int,
  digest_day text COLLATE "C" NOT NULL DEFAULT '',
  secret text,
  previous_secret text,
  previous_until bigint,
  created_at bigint NOT NULL,
  -- Signups from then on are told: when it was made, enabled, or got other types.
  since bigint NOT NULL,
  disabled_at bigint,
  disabled_reason text,
  -- It is left alone until then, after a try that it did not answer.
  paused_until bigint NOT NULL DEFAULT 0
);
CREATE INDEX event_destinations_by_account ON event_destinations (account_id, id);

-- What happened, and is to be told. Write to `new_events`. Of one object, an event that is committed later has a higher number,
-- because both transactions change its row.
CREATE TABLE events (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  type text COLLATE "C" NOT NULL,
  -- Id of what it is about. Events of one object are told in order.
  object text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  -- JSON, with nothing of a person.
  data text NOT NULL
);
CREATE INDEX events_by_account ON events (account_id, seq);
CREATE INDEX events_by_object ON events (object);
CREATE INDEX events_by_time ON events (at);

-- An event on its way to one destination.
CREATE TABLE event_deliveries (
  event_seq bigint NOT NULL REFERENCES events (seq) ON DELETE CASCADE,
  destination_id text COLLATE "C" NOT NULL REFERENCES event_destinations (id) ON DELETE CASCADE,
  object text COLLATE "C" NOT NULL,
  -- `pending`, `delivered`, `failed`, or `dropped`: there is nothing to tell any more.
  state text COLLATE "C" NOT NULL DEFAULT 'pending',
  tries int NOT NULL DEFAULT 0,
  -- Not to be tried before, milliseconds since the epoch: a try under way moves it past its own end.
  next_at bigint NOT NULL DEFAULT 0,
  -- Not to be tried after.
  until bigint NOT NULL,
  -- Outcome of the last try: when, the status of its answer, what went wrong.
  tried_at bigint,
  status int,
  problem text,
  PRIMARY KEY (event_seq, destination_id)
);
CREATE INDEX event_deliveries_by_destination ON event_deliveries (destination_id, event_seq);
CREATE INDEX event_deliveries_pending ON event_deliveries (destination_id, object, event_seq) WHERE state = 'pending';
CREATE INDEX event_deliveries_due ON event_deliveries (destination_id, next_at, event_seq) WHERE state = 'pending';

-- Whoever has something to tell inserts it here, in the transaction in which it happens: it is stored where a destination of
-- the account wants it. Without an id it gets one, without a time this moment; with an id, it is stored once. `verdict` is
-- that of a signup.
CREATE VIEW new_events AS SELECT id, account_id, type, object, at, data, '' AS verdict FROM events;
CREATE FUNCTION gatehouse_new_event_1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
  number bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM event_destinations AS d
      WHERE d.account_id = NEW.account_id AND d.disabled_at IS NULL AND strpos(d.types, ' ' || NEW.type || ' ') > 0
        AND (NEW.verdict IS NULL OR (strpos(d.verdicts, ' ' || NEW.verdict || ' ') > 0 AND d.since <= NEW.at)))
  THEN RETURN NULL; END IF;
  INSERT INTO events (id, account_id, type, object, at, data)
    VALUES (coalesce(NEW.id, 'evt_' || left(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 26)),
      NEW.account_id, NEW.type, NEW.object, coalesce(NEW.at, moment), NEW.data)
    ON CONFLICT (id) DO NOTHING RETURNING seq INTO number;
  IF number IS NULL THEN RETURN NULL; END IF;
  INSERT INTO event_deliveries (event_seq, destination_id, object, until)
    SELECT number, d.id, NEW.object, moment + 86400000 FROM event_destinations AS d
    WHERE d.account_id = NEW.account_id AND d.disabled_at IS NULL AND strpos(d.types, ' ' || NEW.type || ' ') > 0
      AND (NEW.verdict IS NULL OR (strpos(d.verdicts, ' ' || NEW.verdict || ' ') > 0 AND d.since <= NEW.at))
    -- One that is being removed is left out.
    FOR KEY SHARE;
  RETURN NULL;
END $$;
CREATE TRIGGER new_events_stored INSTEAD OF INSERT ON new_events FOR EACH ROW EXECUTE FUNCTION gatehouse_new_event_1();

CREATE FUNCTION gatehouse_campaign_event_1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  type text := 'campaign.opened';
  moment bigint := NEW.opened_at;
  told json := json_build_object('scope', NEW.scope, 'scope_text', NEW.scope_text, 'mark', NEW.mark, 'mark_text', NEW.mark_text,
    'members', NEW.members, 'stopped', NEW.stopped, 'let_in', NEW.let_in, 'since', NEW.since, 'last_at', NEW.last_at,
    'ended_reason', NEW.ended_reason, 'ended_by', NEW.ended_by);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    type := CASE WHEN OLD.state = NEW.state THEN 'campaign.grew' WHEN NEW.state = 'open' THEN 'campaign.opened' ELSE 'campaign.ended' END;
    moment := CASE WHEN OLD.state <> NEW.state THEN coalesce(NEW.ended_at, NEW.decided_at, NEW.last_at) ELSE NEW.last_at END;
  END IF;
  INSERT INTO new_events (account_id, type, object, at, data) VALUES (NEW.account_id, type, NEW.id, moment, told::text);
  RETURN NULL;
END $$;
CREATE TRIGGER events_of_new_campaigns AFTER INSERT ON campaigns FOR EACH ROW EXECUTE FUNCTION gatehouse_campaign_event_1();
-- One that opens again is told as one that opens. It grew when its members reached the next power of two.
CREATE TRIGGER events_of_campaigns AFTER UPDATE OF state, members ON campaigns FOR EACH ROW
  WHEN (OLD.state <> NEW.state OR (NEW.members & ~OLD.members) > OLD.members) EXECUTE FUNCTION gatehouse_campaign_event_1();

CREATE FUNCTION gatehouse_feedback_event_1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'feedback.created', NEW.request_id, NEW.at, json_build_object('outcome', NEW.outcome)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER events_of_new_feedback AFTER INSERT ON feedback FOR EACH ROW WHEN (NEW.account_id IS NOT NULL)
  EXECUTE FUNCTION gatehouse_feedback_event_1();
CREATE TRIGGER events_of_feedback AFTER UPDATE OF outcome ON feedback FOR EACH ROW
  WHEN (NEW.account_id IS NOT NULL AND OLD.outcome <> NEW.outcome) EXECUTE FUNCTION gatehouse_feedback_event_1();

CREATE FUNCTION gatehouse_list_event_1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  entry list_entries := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (entry.account_id, 'list.changed', entry.id, CASE WHEN TG_OP = 'INSERT' THEN entry.created_at END, json_build_object(
      'change', CASE TG_OP WHEN 'INSERT' THEN 'added' WHEN 'UPDATE' THEN 'changed' ELSE 'removed' END,
      'action', entry.action, 'kind', entry.kind, 'value', CASE WHEN entry.kind IN ('domain', 'cidr', 'asn', 'country') THEN entry.shown END,
      'reason', entry.reason, 'by', CASE WHEN TG_OP <> 'DELETE' THEN entry.author END, 'expires_at', entry.expires_at)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER events_of_list_entries AFTER INSERT OR DELETE OR UPDATE OF shown, reason, author, expires_at ON list_entries
  FOR EACH ROW EXECUTE FUNCTION gatehouse_list_event_1();

CREATE FUNCTION gatehouse_key_event_1() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change text := 'created';
BEGIN
  IF TG_OP = 'UPDATE' THEN
    change := CASE WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL THEN 'revoked'
      WHEN NEW.hash <> OLD.hash THEN 'rotated' ELSE 'changed' END;
  END IF;
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'key.changed', NEW.id, CASE WHEN TG_OP = 'INSERT' THEN NEW.created_at END, json_build_object(
      'change', change, 'name', NEW.name, 'mode', NEW.mode, 'prefix', NEW.prefix,
      'enforced_share', NEW.enforced_share)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER events_of_keys AFTER INSERT OR UPDATE OF name, challenge, block, enforced_share, hash, previous_until, expires_at,
  allowed_ranges, revoked_at ON keys
  FOR EACH ROW EXECUTE FUNCTION gatehouse_key_event_1();
