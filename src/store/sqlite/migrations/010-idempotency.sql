-- Requests with an idempotency key that were carried out; removed after a day.
CREATE TABLE idempotency (
  account_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  operation TEXT NOT NULL,
  key_hash TEXT NOT NULL,
  body_digest TEXT NOT NULL,
  request_id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  state TEXT NOT NULL,
  answer TEXT,
  PRIMARY KEY (account_id, mode, operation, key_hash)
) WITHOUT ROWID;
CREATE INDEX idempotency_by_time ON idempotency (at);
