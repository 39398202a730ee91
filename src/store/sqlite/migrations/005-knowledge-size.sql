-- What is known from elsewhere is bounded: by expiry, and by a count that is always exact.
CREATE INDEX knowledge_by_expiry ON knowledge (expires_at);

CREATE TABLE knowledge_size (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  entries INTEGER NOT NULL,
  bytes INTEGER NOT NULL
);
INSERT INTO knowledge_size (id, entries, bytes)
  SELECT 1, count(*), coalesce(sum(length(CAST(name AS BLOB)) + length(CAST(text AS BLOB))), 0) FROM knowledge;

CREATE TRIGGER knowledge_added AFTER INSERT ON knowledge BEGIN
  UPDATE knowledge_size SET entries = entries + 1,
    bytes = bytes + length(CAST(new.name AS BLOB)) + length(CAST(new.text AS BLOB));
END;
CREATE TRIGGER knowledge_changed AFTER UPDATE ON knowledge BEGIN
  UPDATE knowledge_size SET
    bytes = bytes + length(CAST(new.text AS BLOB)) - length(CAST(old.text AS BLOB));
END;
CREATE TRIGGER knowledge_removed AFTER DELETE ON knowledge BEGIN
  UPDATE knowledge_size SET entries = entries - 1,
    bytes = bytes - length(CAST(old.name AS BLOB)) - length(CAST(old.text AS BLOB));
END;
