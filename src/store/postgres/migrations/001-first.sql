-- Counters that every node shares. directory_version grows with each change of an account, a key or a policy,
-- lists_version with each change of an account's own lists: within the changing transaction, whose lock on the row
-- makes versions commit in order.
CREATE TABLE meta (
  name text COLLATE "C" PRIMARY KEY,
  value bigint NOT NULL
);
INSERT INTO meta (name, value) VALUES ('directory_version', 0), ('lists_version', 0);

-- The next version of the directory or of the lists, for the change that asks for it; nodes hear of it at its commit.
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

CREATE TABLE accounts (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL,
  overage boolean NOT NULL,
  monthly_quota bigint,
  requests_per_second bigint,
  challenge int,
  block int,
  created_at bigint NOT NULL,
  version bigint NOT NULL
);
CREATE INDEX accounts_by_version ON accounts (version);

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
  version bigint NOT NULL
);
CREATE INDEX keys_by_version ON keys (version);

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

-- Ids only: a running node learns from them what is gone, and nothing is kept of what the entry said.
CREATE TABLE list_removals (
  id text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL
);
CREATE INDEX list_removals_by_version ON list_removals (version);

CREATE TABLE knowledge (
  name text COLLATE "C" PRIMARY KEY,
  text text NOT NULL,
  expires_at bigint NOT NULL
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
  PRIMARY KEY (request_id)
) PARTITION BY RANGE (request_id);

CREATE TABLE assessment_documents (
  request_id text COLLATE "C" NOT NULL,
  body text NOT NULL,
  evidence text NOT NULL,
  PRIMARY KEY (request_id)
) PARTITION BY RANGE (request_id);
-- Not compressed: that would cost each insert more than the disk is worth. Releases before 16 take it in no other form.
ALTER TABLE assessment_documents ALTER COLUMN body SET STORAGE EXTERNAL, ALTER COLUMN evidence SET STORAGE EXTERNAL;

CREATE TABLE feedback (
  request_id text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  note text,
  key_id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  -- What the log needs to find feedback by account and time, copied from the assessment it is about.
  account_id text COLLATE "C",
  assessed_at bigint,
  seq bigint,
  PRIMARY KEY (request_id)
) PARTITION BY RANGE (request_id);

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

-- One batch of a node, in one transaction: charges as above, stores what was admitted, and saves feedback.
-- `roomy`: no cap seems near. Then credits are locked last, for the length of a commit only, so that the batches of a busy
-- account go side by side; where a cap was near after all, nothing is stored and the batch comes again without it.
CREATE FUNCTION gatehouse_commit_1(
  roomy boolean, fresh boolean, pair_accounts text[], pair_months text[], pairs int[], charges int[], caps bigint[],
  request_ids text[], account_ids text[], key_ids text[], ats bigint[], verdicts text[], scores int[], reasons_ text[],
  email_domains text[], address_hashes text[], mailbox_hashes text[], emails_masked text[], emails text[],
  ips text[], networks text[], country_codes text[], asns bigint[], session_ids text[], processed int[],
  weights_ text[], bodies text[], evidences text[],
  feedback_ids text[], outcomes text[], notes text[], feedback_keys text[], feedback_ats bigint[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  results bigint[];
BEGIN
  IF cardinality(pairs) > 0 THEN
    IF roomy THEN
      results := array_fill(0::bigint, ARRAY[cardinality(pairs)]);
    ELSE
      results := gatehouse_charge_1(fresh, pair_accounts, pair_months, pairs, charges, caps);
    END IF;
    INSERT INTO assessments (request_id, seq, account_id, key_id, mode, at, verdict, score, reasons, email_domain,
        address_hash, mailbox_hash, email_masked, email, ip, network, country_code, asn, session_id, processed_ms, weights)
      SELECT request_id, nextval('assessment_seq'), account_id, key_id,
        CASE charge WHEN 1 THEN 'live' ELSE 'test' END, at, verdict, score, reasons, email_domain,
        address_hash, mailbox_hash, email_masked, email, ip, network, country_code, asn, session_id, processed_ms,
        weights::real[]
      FROM unnest(results, charges, request_ids, account_ids, key_ids, ats, verdicts, scores, reasons_, email_domains,
          address_hashes, mailbox_hashes, emails_masked, emails, ips, networks, country_codes, asns, session_ids,
          processed, weights_)
        AS given (result, charge, request_id, account_id, key_id, at, verdict, score, reasons, email_domain,
          address_hash, mailbox_hash, email_masked, email, ip, network, country_code, asn, session_id,
          processed_ms, weights)
      WHERE result >= 0;
    INSERT INTO assessment_documents (request_id, body, evidence)
      SELECT request_id, body, evidence
      FROM unnest(results, request_ids, bodies, evidences) AS given (result, request_id, body, evidence)
      WHERE result >= 0;
    IF roomy THEN
      results := gatehouse_charge_1(fresh, pair_accounts, pair_months, pairs, charges, caps);
      IF 0 > ANY (results) THEN
        RAISE EXCEPTION 'a cap was near' USING ERRCODE = 'GH002';
      END IF;
    END IF;
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

-- Takes back what was stored although its caller heard an error: the record, its texts and its credit.
CREATE FUNCTION gatehouse_take_back_1(request_ids text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  gone record;
  total bigint := 0;
BEGIN
  DELETE FROM assessment_documents WHERE request_id = ANY (request_ids);
  FOR gone IN
    WITH deleted AS (
      DELETE FROM assessments WHERE request_id = ANY (request_ids) RETURNING account_id, mode, at
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
