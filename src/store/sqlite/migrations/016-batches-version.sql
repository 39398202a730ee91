-- Grows with each change of a stored batch, whoever makes it: batches that are kept in memory are read again then. A new
-- batch changes no other.
INSERT INTO meta (name, value) VALUES ('batches_version', 0);
CREATE TRIGGER assessment_batches_changed AFTER UPDATE ON assessment_batches BEGIN
  UPDATE meta SET value = value + 1 WHERE name = 'batches_version';
END;
CREATE TRIGGER assessment_batches_removed AFTER DELETE ON assessment_batches BEGIN
  UPDATE meta SET value = value + 1 WHERE name = 'batches_version';
END;
