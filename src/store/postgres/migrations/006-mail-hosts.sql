-- What operators decided about mail hosts; few, and kept for ever.
CREATE TABLE mail_host_decisions (
  key text COLLATE "C" PRIMARY KEY,
  generation bigint NOT NULL,
  never_flag boolean NOT NULL,
  author text NOT NULL,
  at bigint NOT NULL,
  version bigint NOT NULL
);
CREATE INDEX mail_host_decisions_by_version ON mail_host_decisions (version);
INSERT INTO meta (name, value) VALUES ('mail_hosts_version', 0);

-- What was learned about hosts was judged otherwise: it begins again.
DELETE FROM knowledge WHERE name >= 'mail-host:' AND name < 'mail-host;';
