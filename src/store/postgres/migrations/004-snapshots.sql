-- What the nodes share of intelligence: folders of files, each folder written by the one node that leads it.
CREATE TABLE shared_folders (
  folder text COLLATE "C" PRIMARY KEY,
  revision bigint NOT NULL,
  changed_at bigint NOT NULL
);

CREATE TABLE shared_files (
  folder text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  hash text NOT NULL,
  size bigint NOT NULL,
  PRIMARY KEY (folder, name)
);

CREATE TABLE shared_chunks (
  folder text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  part int NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (folder, name, part),
  FOREIGN KEY (folder, name) REFERENCES shared_files ON DELETE CASCADE
);
-- Feeds are compressed already, and snapshots are read far more often than written.
ALTER TABLE shared_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- What one node asks of the one that leads a folder.
CREATE TABLE shared_tasks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  folder text COLLATE "C" NOT NULL,
  task text NOT NULL,
  asked_at bigint NOT NULL,
  taken boolean NOT NULL DEFAULT false,
  answer text
);
