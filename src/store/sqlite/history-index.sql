-- The index of the log, in a file of its own: all of it follows from the assessments and can be made anew.

-- Up to where assessments are indexed, and the newest one of those that are still stored, to notice another database.
CREATE TABLE progress (
  seq INTEGER NOT NULL,
  request_id TEXT NOT NULL
);
INSERT INTO progress (seq, request_id) VALUES (0, '');

-- Runs of consecutive assessments. Postings of one run stand together, so that adding touches a small part of the file.
CREATE TABLE segments (
  segment INTEGER PRIMARY KEY,
  min_at INTEGER NOT NULL,
  max_at INTEGER NOT NULL
);

-- Which assessments have a property; a term is a hash of account, property and value.
CREATE TABLE postings (
  segment INTEGER NOT NULL,
  term INTEGER NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (segment, term, at, seq)
) WITHOUT ROWID;

-- What assessments add up to: verdicts, reasons and latencies in each half hour.
CREATE TABLE tallies (
  account_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  kind TEXT NOT NULL,
  slot INTEGER NOT NULL,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  weight REAL NOT NULL,
  PRIMARY KEY (account_id, mode, kind, slot, name)
) WITHOUT ROWID;
