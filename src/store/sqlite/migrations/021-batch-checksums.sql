-- CRC-32 of a batch's number and texts, which every change of them writes again; NULL where an older version wrote them.
ALTER TABLE assessment_batches ADD COLUMN crc32 INTEGER;
