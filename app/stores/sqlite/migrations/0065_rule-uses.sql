-- How many events each decision of people about the grouping has decided, and the latest.
CREATE TABLE rule_uses (
  project_id INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('fingerprint', 'stack', 'split', 'merge')),
  -- The text of the rule, or the id of the split or merge.
  rule TEXT NOT NULL,
  event_count INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, kind, rule)
) STRICT, WITHOUT ROWID;

-- The merge by which the hash leads where it does.
ALTER TABLE issue_hashes ADD COLUMN merge_id INTEGER;
CREATE INDEX issue_hashes_merged ON issue_hashes (project_id, hash) WHERE merge_id IS NOT NULL;

-- 1: without a rule for what comes.
ALTER TABLE issue_merges ADD COLUMN is_once INTEGER NOT NULL DEFAULT 0 CHECK (is_once IN (0, 1));
-- Keys of issues that were merged once: they lead nowhere, until the merge is undone.
CREATE TABLE once_merged_hashes (
  merge_id INTEGER NOT NULL,
  project_id INTEGER NOT NULL,
  hash TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  grouping BLOB NOT NULL,
  is_found_by_kin INTEGER NOT NULL,
  is_regrouped INTEGER NOT NULL,
  split_id INTEGER,
  PRIMARY KEY (merge_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX once_merged_hashes_by_project ON once_merged_hashes (project_id);
