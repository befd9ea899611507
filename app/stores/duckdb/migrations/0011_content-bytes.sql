-- Bytes of what an item holds, as a number in decimal; see ItemRow.contentBytes. Null: the row was stored before, or holds JSON.
ALTER TABLE items ADD COLUMN content_bytes VARCHAR;
