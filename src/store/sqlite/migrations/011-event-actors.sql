-- Who changed a key last, and who removes a list entry: for the events, which are written by triggers.
ALTER TABLE keys ADD COLUMN changed_by TEXT;
ALTER TABLE list_entries ADD COLUMN removed_by TEXT;
DROP TRIGGER events_of_new_feedback;
CREATE TRIGGER events_of_new_feedback AFTER INSERT ON feedback WHEN NEW.account_id IS NOT NULL BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'feedback.created', NEW.request_id, NEW.at, json_object('outcome', NEW.outcome,
      'actor', coalesce((SELECT k.name FROM keys AS k WHERE k.id = NEW.key_id), NEW.key_id)));
END;
DROP TRIGGER events_of_feedback;
CREATE TRIGGER events_of_feedback AFTER UPDATE OF outcome ON feedback
WHEN NEW.account_id IS NOT NULL AND OLD.outcome <> NEW.outcome BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'feedback.created', NEW.request_id, NEW.at, json_object('outcome', NEW.outcome,
      'actor', coalesce((SELECT k.name FROM keys AS k WHERE k.id = NEW.key_id), NEW.key_id)));
END;
DROP TRIGGER events_of_removed_list_entries;
CREATE TRIGGER events_of_removed_list_entries AFTER DELETE ON list_entries BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (OLD.account_id, 'list.changed', OLD.id, NULL,
      json_object('change', 'removed', 'action', OLD.action, 'kind', OLD.kind, 'value', CASE WHEN OLD.kind IN ('domain', 'cidr', 'asn', 'country') THEN OLD.shown END, 'reason', OLD.reason,
      'expires_at', OLD.expires_at, 'actor', OLD.removed_by));
END;
DROP TRIGGER events_of_new_keys;
CREATE TRIGGER events_of_new_keys AFTER INSERT ON keys BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'key.changed', NEW.id, NEW.created_at,
      json_object('change', 'created', 'name', NEW.name, 'mode', NEW.mode, 'prefix', NEW.prefix, 'enforced_share',
      NEW.enforced_share, 'actor', NEW.changed_by));
END;
DROP TRIGGER events_of_keys;
CREATE TRIGGER events_of_keys AFTER UPDATE OF name, challenge, block, enforced_share, hash, previous_until, expires_at, allowed_ranges,
  revoked_at ON keys BEGIN
  INSERT INTO new_events (account_id, type, object, at, data)
    VALUES (NEW.account_id, 'key.changed', NEW.id, NULL,
      json_object('change', CASE WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL THEN 'revoked'
        WHEN NEW.hash <> OLD.hash THEN 'rotated' ELSE 'changed' END,
      'name', NEW.name, 'mode', NEW.mode, 'prefix', NEW.prefix, 'enforced_share',
      NEW.enforced_share, 'actor', NEW.changed_by));
END;
-- The log of a destination is read by state, newest first.
CREATE INDEX event_deliveries_by_state ON event_deliveries (destination_id, state, event_seq);
