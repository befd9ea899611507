-- Links into a repository have any number of mappings from paths of stacks to paths of the repository, where they had one.
-- One that changed nothing is none.
UPDATE projects SET source_links = json_remove(
  json_set(
    source_links,
    '$.codeMappings',
    CASE
      WHEN coalesce(source_links ->> '$.stripPrefix', '') = '' AND coalesce(source_links ->> '$.sourceRoot', '') = ''
        THEN json_array()
      ELSE json_array(json_object(
        'stackRoot', coalesce(source_links ->> '$.stripPrefix', ''),
        'sourceRoot', coalesce(source_links ->> '$.sourceRoot', '')))
    END),
  '$.stripPrefix',
  '$.sourceRoot')
WHERE source_links IS NOT NULL;
