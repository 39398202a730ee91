-- What an assessment found, in its own row. Those of earlier versions have a row of texts in assessment_documents instead,
-- where nodes of an earlier version continue to write.
ALTER TABLE assessments ADD COLUMN facts text;

-- One batch of a node, in one transaction, as gatehouse_commit_1; each record is one row.
-- `keyed_ids`: records with idempotency keys. If another node took over the key of one of them, nothing is stored: the error
-- says that a row is bad, and the batch is committed again without it. A record that the cap refused leaves no key.
CREATE FUNCTION gatehouse_commit_2(
  roomy boolean, fresh boolean, pair_accounts text[], pair_months text[], pairs int[], charges int[], caps bigint[],
  request_ids text[], account_ids text[], key_ids text[], shadows int[], ats bigint[], verdicts text[], scores int[],
  reasons_ text[], email_domains text[], address_hashes text[], mailbox_hashes text[], emails_masked text[],
  emails text[], ips text[], networks text[], country_codes text[], asns bigint[], session_ids text[], processed int[],
  weights_ text[], facts_ text[],
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
    IF roomy THEN
      results := array_fill(0::bigint, ARRAY[cardinality(pairs)]);
    ELSE
      results := gatehouse_charge_1(fresh, pair_accounts, pair_months, pairs, charges, caps);
    END IF;
    INSERT INTO assessments (request_id, seq, account_id, key_id, mode, at, verdict, score, reasons, email_domain,
        address_hash, mailbox_hash, email_masked, email, ip, network, country_code, asn, session_id, processed_ms, weights,
        shadow, facts)
      SELECT request_id, nextval('assessment_seq'), account_id, key_id,
        CASE charge WHEN 1 THEN 'live' ELSE 'test' END, at, verdict, score, reasons, email_domain,
        address_hash, mailbox_hash, email_masked, email, ip, network, country_code, asn, session_id, processed_ms,
        weights::real[], shadow = 1, facts
      FROM unnest(results, charges, request_ids, account_ids, key_ids, shadows, ats, verdicts, scores, reasons_,
          email_domains, address_hashes, mailbox_hashes, emails_masked, emails, ips, networks, country_codes, asns,
          session_ids, processed, weights_, facts_)
        AS given (result, charge, request_id, account_id, key_id, shadow, at, verdict, score, reasons,
          email_domain, address_hash, mailbox_hash, email_masked, email, ip, network, country_code, asn,
          session_id, processed_ms, weights, facts)
      WHERE result >= 0;
    IF roomy THEN
      results := gatehouse_charge_1(fresh, pair_accounts, pair_months, pairs, charges, caps);
      IF 0 > ANY (results) THEN
        RAISE EXCEPTION 'a cap was near' USING ERRCODE = 'GH002';
      END IF;
    END IF;
  END IF;
  IF cardinality(keyed_ids) > 0 AND 0 > ANY (results) THEN
    DELETE FROM idempotency WHERE request_id = ANY (keyed_ids) AND request_id IN (
      SELECT id FROM unnest(request_ids, results) AS refused (id, result) WHERE result < 0
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
