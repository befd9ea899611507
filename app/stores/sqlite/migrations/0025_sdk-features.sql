-- What the loader script of a key brings to a page beside errors: words separated by commas, like `tracing,replay`.
ALTER TABLE project_keys ADD COLUMN sdk_features TEXT NOT NULL DEFAULT '';
