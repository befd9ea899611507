-- How a place in the code becomes a link into the repository: a JSON object (domain/source-link.ts); null: no links.
ALTER TABLE projects ADD COLUMN source_links TEXT;
