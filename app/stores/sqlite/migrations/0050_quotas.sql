-- At most so much of a kind of data in each period. project_id 0: the whole server.
CREATE TABLE quotas (
  project_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  period TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  PRIMARY KEY (project_id, kind, period)
) STRICT, WITHOUT ROWID;

-- What ingest has counted of the window that began at started_at, written every few seconds: a restart goes on from it.
CREATE TABLE quota_uses (
  owner TEXT NOT NULL,
  kind TEXT NOT NULL,
  period TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (owner, kind, period)
) STRICT, WITHOUT ROWID;
