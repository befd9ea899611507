-- SHA-1 of an attachment; see ItemRow. Null: the row was stored before, or is no attachment.
ALTER TABLE items ADD COLUMN content_sha1 VARCHAR;
