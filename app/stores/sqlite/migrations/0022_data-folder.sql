-- At most one row: the random id that every store of this data folder carries.
CREATE TABLE data_folder (
  folder_id TEXT NOT NULL PRIMARY KEY,
  -- Whether the journal, the payload files and the blobs carry the id, too. From then on one without it is a lost one.
  is_complete INTEGER NOT NULL CHECK (is_complete IN (0, 1))
) STRICT, WITHOUT ROWID;
