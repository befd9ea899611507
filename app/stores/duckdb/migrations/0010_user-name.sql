-- The e-mail address, name or user name behind a user's key; see EventRow.userName. Null: the row was stored before.
ALTER TABLE events ADD COLUMN user_name VARCHAR;
