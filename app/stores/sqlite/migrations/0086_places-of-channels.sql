-- Another channel or thread of a chat, if an alert rule has named one; later changes are told there, too.
ALTER TABLE channel_messages ADD COLUMN place TEXT NOT NULL DEFAULT '';
