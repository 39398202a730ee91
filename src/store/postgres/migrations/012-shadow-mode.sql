-- Keys whose requests are answered with allow, whatever the verdict is; and the assessments that were answered so.
ALTER TABLE keys ADD COLUMN shadow boolean NOT NULL DEFAULT false;
ALTER TABLE assessments ADD COLUMN shadow boolean NOT NULL DEFAULT false;
CREATE INDEX assessments_by_shadow ON assessments (account_id, at, seq) WHERE shadow;

-- A batch in which records were answered in shadow mode. Others do not come here, so they pay nothing for it.
CREATE FUNCTION gatehouse_commit_shadow_1(
  roomy boolean, fresh boolean, pair_accounts text[], pair_months text[], pairs int[], charges int[], caps bigint[],
  request_ids text[], account_ids text[], key_ids text[], ats bigint[], verdicts text[], scores int[], reasons_ text[],
  email_domains text[], address_hashes text[], mailbox_hashes text[], emails_masked text[], emails text[],
  ips text[], networks text[], country_codes text[], asns bigint[], session_ids text[], processed int[],
  weights_ text[], bodies text[], evidences text[],
  feedback_ids text[], outcomes text[], notes text[], feedback_keys text[], feedback_ats bigint[],
  keyed_ids text[], shadow_ids text[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  results bigint[];
BEGIN
  results := gatehouse_commit_keyed_1(
    roomy, fresh, pair_accounts, pair_months, pairs, charges, caps, request_ids, account_ids, key_ids, ats,
    verdicts, scores, reasons_, email_domains, address_hashes, mailbox_hashes, emails_masked, emails, ips,
    networks, country_codes, asns, session_ids, processed, weights_, bodies, evidences, feedback_ids, outcomes,
    notes, feedback_keys, feedback_ats, keyed_ids
  );
  UPDATE assessments SET shadow = true WHERE request_id = ANY (shadow_ids);
  RETURN results;
END $$;
