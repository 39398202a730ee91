-- Whom a list entry in the log is about: the keyed hash of an address, or an IP. A masked address fits many people, and an
-- erasure takes out one of them.
ALTER TABLE audit ADD COLUMN subject TEXT;
