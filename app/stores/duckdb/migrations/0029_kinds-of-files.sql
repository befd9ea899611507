-- What a file is, as its sender said; see ItemRow. Null: the row was stored before, or is no file.
ALTER TABLE items ADD COLUMN content_type VARCHAR;
ALTER TABLE items ADD COLUMN attachment_type VARCHAR;
