-- Mails that were ordered for each challenge; the keyed hash of the mailbox that they went to, and for a day the network of the signup, of live signups alone.
ALTER TABLE challenges ADD COLUMN mails INTEGER NOT NULL DEFAULT 0;
ALTER TABLE challenges ADD COLUMN mailbox TEXT;
ALTER TABLE challenges ADD COLUMN mailed_at INTEGER;
ALTER TABLE challenges ADD COLUMN network TEXT;
CREATE INDEX challenges_by_mailbox ON challenges (account_id, mailbox, mailed_at) WHERE mailbox IS NOT NULL;
CREATE INDEX challenges_with_network ON challenges (mailed_at) WHERE network IS NOT NULL;
