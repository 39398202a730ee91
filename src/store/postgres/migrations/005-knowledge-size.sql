-- What is known from elsewhere is bounded: by expiry, and by a count that is always exact.
CREATE INDEX knowledge_by_expiry ON knowledge (expires_at);

-- One row that every batch changes: room on the page keeps its versions there.
CREATE TABLE knowledge_size (
  id int PRIMARY KEY CHECK (id = 1),
  entries bigint NOT NULL,
  bytes bigint NOT NULL
) WITH (fillfactor = 10);

-- Once a statement. The row of the count is the last that a statement locks, so nobody who has it waits for another.
CREATE FUNCTION gatehouse_knowledge_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE knowledge_size SET entries = knowledge_size.entries + added.entries, bytes = knowledge_size.bytes + added.bytes
    FROM (SELECT count(*) AS entries, sum(octet_length(name) + octet_length(text)) AS bytes FROM changed) AS added
    WHERE added.entries > 0;
  RETURN NULL;
END $$;
CREATE FUNCTION gatehouse_knowledge_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE knowledge_size SET bytes = knowledge_size.bytes + added.bytes - removed.bytes
    FROM (SELECT sum(octet_length(name) + octet_length(text)) AS bytes FROM changed) AS added,
      (SELECT sum(octet_length(name) + octet_length(text)) AS bytes FROM before) AS removed
    WHERE added.bytes <> removed.bytes;
  RETURN NULL;
END $$;
CREATE FUNCTION gatehouse_knowledge_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE knowledge_size SET entries = knowledge_size.entries - removed.entries,
      bytes = knowledge_size.bytes - removed.bytes
    FROM (SELECT count(*) AS entries, sum(octet_length(name) + octet_length(text)) AS bytes FROM before) AS removed
    WHERE removed.entries > 0;
  RETURN NULL;
END $$;

-- These wait for writers and keep them out until the count is there.
CREATE TRIGGER knowledge_added AFTER INSERT ON knowledge REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION gatehouse_knowledge_added();
CREATE TRIGGER knowledge_changed AFTER UPDATE ON knowledge REFERENCING NEW TABLE AS changed OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION gatehouse_knowledge_changed();
CREATE TRIGGER knowledge_removed AFTER DELETE ON knowledge REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION gatehouse_knowledge_removed();

INSERT INTO knowledge_size (id, entries, bytes)
  SELECT 1, count(*), coalesce(sum(octet_length(name) + octet_length(text)), 0) FROM knowledge;
