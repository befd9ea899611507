-- A link that somebody ended, for its undo. NULL: it works until its time is over. `…_by` is the only one who may take that back.
ALTER TABLE invitations ADD COLUMN revoked_at INTEGER;
ALTER TABLE invitations ADD COLUMN revoked_by INTEGER REFERENCES users (id) ON DELETE SET NULL;
ALTER TABLE issue_shares ADD COLUMN ended_at INTEGER;
ALTER TABLE issue_shares ADD COLUMN ended_by INTEGER REFERENCES users (id) ON DELETE SET NULL;
