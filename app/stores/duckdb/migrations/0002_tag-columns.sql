-- Copies of tags that are counted whenever an issue is looked at; see tag-columns.ts. In `tags`, a backslash stands
-- before what is escaped.
ALTER TABLE events ADD COLUMN browser_name VARCHAR;
ALTER TABLE events ADD COLUMN os_name VARCHAR;
ALTER TABLE events ADD COLUMN runtime_name VARCHAR;
ALTER TABLE events ADD COLUMN server_name VARCHAR;

UPDATE events SET
  browser_name = replace(nullif(regexp_extract(tags, '\nbrowser\.name=([^\n]*)', 1), ''), '\\', '\'),
  os_name = replace(nullif(regexp_extract(tags, '\nos\.name=([^\n]*)', 1), ''), '\\', '\'),
  runtime_name = replace(nullif(regexp_extract(tags, '\nruntime\.name=([^\n]*)', 1), ''), '\\', '\'),
  server_name = replace(nullif(regexp_extract(tags, '\nserver_name=([^\n]*)', 1), ''), '\\', '\');
