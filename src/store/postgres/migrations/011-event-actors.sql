-- Who changed a key last, and who removes a list entry: for the events, which are written by triggers.
ALTER TABLE keys ADD COLUMN changed_by text;
ALTER TABLE list_entries ADD COLUMN removed_by text;
CREATE FUNCTION gatehouse_feedback_event_2() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'feedback.created', NEW.request_id, NEW.at, json_build_object('outcome', NEW.outcome,
      'actor', coalesce((SELECT k.name FROM keys AS k WHERE k.id = NEW.key_id), NEW.key_id))::text);
  RETURN NULL;
END $$;
DROP TRIGGER events_of_new_feedback ON feedback;
CREATE TRIGGER events_of_new_feedback AFTER INSERT ON feedback FOR EACH ROW WHEN (NEW.account_id IS NOT NULL)
  EXECUTE FUNCTION gatehouse_feedback_event_2();
DROP TRIGGER events_of_feedback ON feedback;
CREATE TRIGGER events_of_feedback AFTER UPDATE OF outcome ON feedback FOR EACH ROW
  WHEN (NEW.account_id IS NOT NULL AND OLD.outcome <> NEW.outcome) EXECUTE FUNCTION gatehouse_feedback_event_2();
DROP FUNCTION gatehouse_feedback_event_1();

CREATE FUNCTION gatehouse_list_event_2() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  entry list_entries := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (entry.account_id, 'list.changed', entry.id, CASE WHEN TG_OP = 'INSERT' THEN entry.created_at END, json_build_object(
      'change', CASE TG_OP WHEN 'INSERT' THEN 'added' WHEN 'UPDATE' THEN 'changed' ELSE 'removed' END,
      'action', entry.action, 'kind', entry.kind, 'value', CASE WHEN entry.kind IN ('domain', 'cidr', 'asn', 'country') THEN entry.shown END,
      'reason', entry.reason, 'by', CASE WHEN TG_OP <> 'DELETE' THEN entry.author END, 'expires_at', entry.expires_at,
      'actor', entry.removed_by)::text);
  RETURN NULL;
END $$;
DROP TRIGGER events_of_list_entries ON list_entries;
CREATE TRIGGER events_of_list_entries AFTER INSERT OR DELETE OR UPDATE OF shown, reason, author, expires_at ON list_entries
  FOR EACH ROW EXECUTE FUNCTION gatehouse_list_event_2();
DROP FUNCTION gatehouse_list_event_1();

CREATE FUNCTION gatehouse_key_event_2() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change text := 'created';
BEGIN
  IF TG_OP = 'UPDATE' THEN
    change := CASE WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL THEN 'revoked'
      WHEN NEW.hash <> OLD.hash THEN 'rotated' ELSE 'changed' END;
  END IF;
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'key.changed', NEW.id, CASE WHEN TG_OP = 'INSERT' THEN NEW.created_at END, json_build_object(
      'change', change, 'name', NEW.name, 'mode', NEW.mode, 'prefix', NEW.prefix,
      'enforced_share', NEW.enforced_share, 'actor', NEW.changed_by)::text);
  RETURN NULL;
END $$;
DROP TRIGGER events_of_keys ON keys;
CREATE TRIGGER events_of_keys AFTER INSERT OR UPDATE OF name, challenge, block, enforced_share, hash, previous_until, expires_at,
  allowed_ranges, revoked_at ON keys
  FOR EACH ROW EXECUTE FUNCTION gatehouse_key_event_2();
DROP FUNCTION gatehouse_key_event_1();
-- The log of a destination is read by state, newest first.
CREATE INDEX event_deliveries_by_state ON event_deliveries (destination_id, state, event_seq);
