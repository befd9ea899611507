-- One row: what signs the links of messages by which people act.
CREATE TABLE act_link_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key TEXT NOT NULL
) STRICT;

-- Links that were used, until they would be over anyway.
CREATE TABLE used_act_links (
  hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX used_act_links_by_end ON used_act_links (expires_at);
