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

-- A batch in which records have idempotency keys. If another node took over the key of one of them, nothing is stored: the
-- error says that a row is bad, and the batch is committed again without it. A record that the cap refused leaves no key.
CREATE FUNCTION gatehouse_commit_keyed_1(
  roomy boolean, fresh boolean, pair_accounts text[], pair_months text[], pairs int[], charges int[], caps bigint[],
  request_ids text[], account_ids text[], key_ids text[], ats bigint[], verdicts text[], scores int[], reasons_ text[],
  email_domains text[], address_hashes text[], mailbox_hashes text[], emails_masked text[], emails text[],
  ips text[], networks text[], country_codes text[], asns bigint[], session_ids text[], processed int[],
  weights_ text[], bodies text[], evidences text[],
  feedback_ids text[], outcomes text[], notes text[], feedback_keys text[], feedback_ats bigint[],
  keyed_ids text[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  results bigint[];
  held bigint;
BEGIN
  UPDATE idempotency SET state = 'stored' WHERE request_id = ANY (keyed_ids) AND state = 'reserved';
  GET DIAGNOSTICS held = ROW_COUNT;
  IF held <> cardinality(keyed_ids) THEN
    RAISE EXCEPTION 'another request took over an idempotency key' USING ERRCODE = '23G01';
  END IF;
  results := gatehouse_commit_1(
    roomy, fresh, pair_accounts, pair_months, pairs, charges, caps, request_ids, account_ids, key_ids, ats,
    verdicts, scores, reasons_, email_domains, address_hashes, mailbox_hashes, emails_masked, emails, ips,
    networks, country_codes, asns, session_ids, processed, weights_, bodies, evidences, feedback_ids, outcomes,
    notes, feedback_keys, feedback_ats
  );
  IF 0 > ANY (results) THEN
    DELETE FROM idempotency WHERE request_id = ANY (keyed_ids) AND request_id IN (
      SELECT id FROM unnest(request_ids, results) AS refused (id, result) WHERE result < 0
    );
  END IF;
  RETURN results;
END $$;

-- Undoes records whose callers got an error, with their keys; but not what a repeated request was answered with since.
CREATE FUNCTION gatehouse_undo_1(ids text[]) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM idempotency WHERE request_id = ANY (ids) AND state <> 'replayed';
  RETURN gatehouse_take_back_1(ARRAY(
    SELECT id FROM unnest(ids) AS undone (id) WHERE id NOT IN (SELECT request_id FROM idempotency WHERE request_id = ANY (ids))
  ));
END $$;
