-- What operators decided about mail hosts; few, and kept for ever.
CREATE TABLE mail_host_decisions (
  key TEXT PRIMARY KEY,
  generation INTEGER NOT NULL,
  never_flag INTEGER NOT NULL,
  author TEXT NOT NULL,
  at INTEGER NOT NULL,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX mail_host_decisions_by_version ON mail_host_decisions (version);
INSERT INTO meta (name, value) VALUES ('mail_hosts_version', 0);

-- What was learned about hosts was judged otherwise: it begins again.
DELETE FROM knowledge WHERE name >= 'mail-host:' AND name < 'mail-host;';
