-- Feeds and snapshots as rows of their own, written by whoever holds the lock for one round.
-- The tables that folders of files were shared in stay for nodes of the release before, which may still run.

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

-- What was shared before: every feed with its state, versions and departed entries. Snapshots are compiled again.
CREATE TABLE shared_before AS
  SELECT split_part(name, '/', 2) AS feed, split_part(name, '/', 3) AS file, folder, changed_at,
    (SELECT string_agg(bytes, ''::bytea ORDER BY part) FROM shared_chunks
      WHERE shared_chunks.folder = shared_files.folder AND shared_chunks.name = shared_files.name) AS bytes
  FROM shared_files JOIN shared_folders USING (folder)
  WHERE name ~ '^feeds/[^/]+/(state\.json|departed\.gz|[0-9a-f]{16}\.gz)$';

-- A state that cannot be read counts as absent, as it did in its folder.
DO $$
DECLARE
  known record;
BEGIN
  FOR known IN SELECT * FROM shared_before WHERE file = 'state.json' LOOP
    BEGIN
      INSERT INTO feed_states (build, feed, url, state, versions, changed_at)
        SELECT known.folder, known.feed, text::jsonb->>'url', text,
          ARRAY(SELECT version->>'version' FROM jsonb_array_elements(text::jsonb->'versions') AS version),
          to_timestamp(known.changed_at / 1000.0)
        FROM convert_from(known.bytes, 'UTF8') AS text;
    EXCEPTION WHEN data_exception OR not_null_violation THEN
      RAISE WARNING 'the state of the feed % cannot be read', known.feed;
    END;
  END LOOP;
END $$;

INSERT INTO feed_versions (feed, version, bytes)
  SELECT DISTINCT ON (feed, file) feed, left(file, 16), bytes FROM shared_before
  WHERE file ~ '^[0-9a-f]{16}\.gz$' AND bytes IS NOT NULL;

INSERT INTO feed_departures (feed, bytes)
  SELECT DISTINCT ON (feed) feed, bytes FROM shared_before
  WHERE file = 'departed.gz' AND bytes IS NOT NULL
  ORDER BY feed, changed_at DESC;

DROP TABLE shared_before;
