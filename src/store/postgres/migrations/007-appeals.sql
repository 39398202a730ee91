-- What people who were stopped wrote: one row a signup, with the newest text, encrypted with the installation's secret.
CREATE TABLE appeals (
  request_id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  mode text COLLATE "C" NOT NULL,
  text text NOT NULL,
  at bigint NOT NULL,
  -- How often somebody wrote.
  times int NOT NULL,
  expires_at bigint NOT NULL,
  closed_at bigint,
  closed_by text
);
CREATE INDEX appeals_by_account ON appeals (account_id, at);
CREATE INDEX appeals_by_end ON appeals (expires_at);
CREATE FUNCTION gatehouse_appeal_event_1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'feedback.created', NEW.request_id, NEW.at, json_build_object('outcome', 'appeal')::text);
  RETURN NULL;
END $$;
CREATE TRIGGER events_of_appeals AFTER INSERT ON appeals FOR EACH ROW EXECUTE FUNCTION gatehouse_appeal_event_1();
