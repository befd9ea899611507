-- What the ledger counts an event as. Null: as an error, like everything from before.
ALTER TABLE events ADD COLUMN category VARCHAR;
