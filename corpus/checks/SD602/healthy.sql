-- The support folder of another store.
-- store: Notes.sqlite
-- file: .Other_SUPPORT/_EXTERNAL_DATA/0308CA1C-D76C-4F97-8631-28E8EFF6F511
UPDATE ZATTACHMENT SET ZDATA = NULL;
