-- Whether source maps that nobody uploaded are fetched from where the application serves its files: 0 or 1.
ALTER TABLE projects ADD COLUMN fetches_source_maps INTEGER NOT NULL DEFAULT 0;
