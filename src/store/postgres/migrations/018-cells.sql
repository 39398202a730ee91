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

-- One batch of a node, in one transaction, as gatehouse_commit_2. What the records have besides their credits is in one
-- array, `cells`: 21 texts of each record, in the order of the columns below. Each further array would cost a batch as much as
-- some rows do.
CREATE FUNCTION gatehouse_commit_3(
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
