-- Grows with each assessment that is erased, or replaced by an anonymous one, but not with those that are removed because they
-- are old. An erasure that leaves nothing of a batch increases it by itself.
INSERT INTO meta (name, value) VALUES ('erasures_version', 0);
CREATE TRIGGER assessment_batches_erased AFTER UPDATE OF ids ON assessment_batches BEGIN
  UPDATE meta SET value = value + 1 WHERE name = 'erasures_version';
END;
