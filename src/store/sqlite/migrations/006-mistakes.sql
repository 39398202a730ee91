-- When a report was closed, and by whom: a later report about the same signup is open again, because it is newer than this.
ALTER TABLE feedback ADD COLUMN closed_at INTEGER;
ALTER TABLE feedback ADD COLUMN closed_by TEXT;
