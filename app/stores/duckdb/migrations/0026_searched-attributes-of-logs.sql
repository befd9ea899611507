-- Which rows the attribute was searched of: those noted before are of spans.
ALTER TABLE searched_attributes ADD COLUMN table_name VARCHAR DEFAULT 'spans';
