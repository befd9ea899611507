-- At most one row: the random id that every store of this data folder carries.
CREATE TABLE data_folder (
  folder_id VARCHAR NOT NULL
);
