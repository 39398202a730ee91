-- What people who were stopped wrote: one row a signup, with the newest text, encrypted with the installation's secret.
CREATE TABLE appeals (
  request_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  mode TEXT NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- How often somebody wrote.
  times INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  closed_at INTEGER,
  closed_by TEXT
) WITHOUT ROWID;
CREATE INDEX appeals_by_account ON appeals (account_id, at);
CREATE INDEX appeals_by_end ON appeals (expires_at);
CREATE TRIGGER events_of_appeals AFTER INSERT ON appeals BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'feedback.created', NEW.request_id, NEW.at, json_object('outcome', 'appeal'));
END;
