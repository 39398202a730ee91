-- Assessments, those of one commit in a row, which moves here what older versions stored in assessments and
-- assessment_documents. The record at place i has the number seq + i; `last_id` is at most 10 s after `first_id`.
CREATE TABLE assessment_batches (
  seq INTEGER PRIMARY KEY,
  count INTEGER NOT NULL,
  first_id TEXT NOT NULL,
  last_id TEXT NOT NULL,
  ids TEXT NOT NULL,
  attempts TEXT NOT NULL,
  details TEXT NOT NULL
);
CREATE INDEX assessment_batches_by_id ON assessment_batches (last_id, first_id);
