-- Each index serves one question, newest first, and is paid for by every assessment. A property stands in its index as a
-- hash with its account's: 8 bytes instead of two texts, and whoever asks for the property can read no other index, so no
-- plan looks through a month for it. Rows found by a hash are compared with what was asked for.
-- Everything that no other index serves (verdict, reason, score, country, key: common, so soon found), and what is added up.
CREATE INDEX assessments_by_time ON assessments (account_id, at, seq);
-- The filter by domain; neighbours of a domain.
CREATE INDEX assessments_by_domain ON assessments
  (hashtextextended(email_domain, hashtextextended(account_id, 0)), at, seq);
-- The filter by an address or a block within a /24 or a /64; neighbours of an address.
CREATE INDEX assessments_by_network ON assessments
  (hashtextextended(network, hashtextextended(account_id, 0)), at, seq) WHERE network IS NOT NULL;
-- RelatedSignups of a mailbox.
CREATE INDEX assessments_by_mailbox ON assessments
  (hashtextextended(mailbox_hash, hashtextextended(account_id, 0)), at, seq);
-- The filter by session; neighbours of a session.
CREATE INDEX assessments_by_session ON assessments
  (hashtextextended(session_id, hashtextextended(account_id, 0)), at, seq) WHERE session_id IS NOT NULL;
-- The filter by network operator, most of which are rare.
CREATE INDEX assessments_by_asn ON assessments
  (hashint8extended(asn, hashtextextended(account_id, 0)), at, seq) WHERE asn > 0;

-- Searches for feedback and labels, by when the assessment was made.
CREATE INDEX feedback_by_assessment ON feedback (account_id, assessed_at, seq);
-- What was reported last.
CREATE INDEX feedback_by_time ON feedback (account_id, at, request_id);

-- What finished half hours of busy accounts came to. A slot has either a row for each mode or none; where it has none, its
-- assessments are added up when somebody asks. Deleting rows is always safe.
CREATE TABLE tallies (
  account_id text COLLATE "C" NOT NULL,
  slot int NOT NULL,
  mode text COLLATE "C" NOT NULL,
  -- Of one length. A name is a kind and a value: `verdict allow`, `reason ip_hosting`, `latency 64`, or `given ip_hosting`
  -- for a reason of an assessment that was challenged or blocked.
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
    SELECT (a.at / 1800000)::int AS slot, a.mode, a.verdict, a.reasons, a.weights, a.processed_ms
    FROM assessments AS a
    WHERE a.account_id = account AND a.at >= first::bigint * 1800000 AND a.at < past::bigint * 1800000
      AND (wanted IS NULL OR a.mode = wanted)
  ), alike AS MATERIALIZED (
    SELECT slot, mode, verdict, reasons, weights, count(*) AS count FROM own GROUP BY 1, 2, 3, 4, 5
  ), reason AS MATERIALIZED (
    SELECT slot, mode, verdict, code, sum(count)::bigint AS count, sum(count * weight) AS weight
    FROM alike, unnest(string_to_array(reasons, ' '), weights) AS u (code, weight)
    WHERE reasons <> '' GROUP BY 1, 2, 3, 4
  )
  SELECT slot, mode, 'verdict ' || verdict, sum(count)::bigint, 0::float8 FROM alike GROUP BY 1, 2, 3
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
