-- Entries are only added. Each has the hash of the one before it (app/stores/sql/audit-chain.ts).
CREATE TABLE audit_entries (
  -- Without gaps.
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id INTEGER,
  actor_name TEXT NOT NULL,
  address TEXT,
  action TEXT NOT NULL,
  target_kind TEXT NOT NULL,
  target_id INTEGER,
  target_name TEXT NOT NULL,
  -- JSON list of { field, before, after }.
  changes TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

-- The newest entry, and the newest one that was dropped: both ends of the chain.
CREATE TABLE audit_ends (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_id INTEGER NOT NULL,
  last_hash TEXT NOT NULL,
  dropped_id INTEGER NOT NULL,
  dropped_hash TEXT NOT NULL
) STRICT;
INSERT INTO audit_ends (id, last_id, last_hash, dropped_id, dropped_hash)
VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000',
        0, '0000000000000000000000000000000000000000000000000000000000000000');

CREATE TRIGGER audit_entries_stay_as_they_are BEFORE UPDATE ON audit_entries
BEGIN
  SELECT raise(ABORT, 'entries of the audit log are never changed');
END;

-- Only what is noted as dropped first may go.
CREATE TRIGGER audit_entries_stay BEFORE DELETE ON audit_entries
WHEN old.id > (SELECT dropped_id FROM audit_ends)
BEGIN
  SELECT raise(ABORT, 'entries of the audit log are never deleted');
END;

CREATE TRIGGER audit_ends_move_on BEFORE UPDATE ON audit_ends
WHEN new.last_id < old.last_id OR new.dropped_id < old.dropped_id OR new.dropped_id > new.last_id
BEGIN
  SELECT raise(ABORT, 'the audit log only grows');
END;

CREATE TRIGGER audit_ends_stay BEFORE DELETE ON audit_ends
BEGIN
  SELECT raise(ABORT, 'the ends of the audit log stay');
END;
