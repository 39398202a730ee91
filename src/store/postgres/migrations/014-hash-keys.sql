-- The keys that addresses are hashed with, since the first rotation: the newest hashes, all of them find. They are encrypted
-- with the installation's secret; the one without a text is that secret itself.
CREATE TABLE hash_keys (
  number bigint PRIMARY KEY,
  encrypted text COLLATE "C",
  created_at bigint NOT NULL,
  version bigint NOT NULL
);
INSERT INTO meta (name, value) VALUES ('hash_keys_version', 0);
