-- What the log needs to find feedback by account and time, copied from the assessment it is about.
ALTER TABLE feedback ADD COLUMN account_id TEXT;
ALTER TABLE feedback ADD COLUMN assessed_at INTEGER;
ALTER TABLE feedback ADD COLUMN seq INTEGER;
UPDATE feedback SET (account_id, assessed_at, seq) =
  (SELECT account_id, at, seq FROM assessments WHERE request_id = feedback.request_id);
CREATE INDEX feedback_by_assessment ON feedback (account_id, assessed_at, seq);
CREATE INDEX feedback_by_time ON feedback (account_id, at, request_id);
