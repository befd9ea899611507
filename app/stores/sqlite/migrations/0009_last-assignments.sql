-- The issues that a journal's last batch gave its events: when the batch is read again after a crash, grouping may have
-- come to other keys. One blob, replaced with every batch; see last-assignments.ts.
CREATE TABLE last_assignments (
  journal_id TEXT PRIMARY KEY,
  assignments BLOB NOT NULL
) STRICT;
