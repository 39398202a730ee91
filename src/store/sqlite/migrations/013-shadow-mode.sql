-- Keys whose requests are answered with allow, whatever the verdict is; and the assessments that were answered so.
ALTER TABLE keys ADD COLUMN shadow INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assessments ADD COLUMN shadow INTEGER NOT NULL DEFAULT 0;
CREATE INDEX assessments_by_shadow ON assessments (account_id, at, seq) WHERE shadow;
