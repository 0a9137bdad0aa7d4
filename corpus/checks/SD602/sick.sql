-- Two files, one of which a row names, and one that is no value.
-- store: Notes.sqlite
-- file: .Notes_SUPPORT/_EXTERNAL_DATA/0308CA1C-D76C-4F97-8631-28E8EFF6F510
-- file: .Notes_SUPPORT/_EXTERNAL_DATA/0308CA1C-D76C-4F97-8631-28E8EFF6F511
-- file: .Notes_SUPPORT/_EXTERNAL_DATA/.DS_Store
-- finds: SD602 note  1 [NULL]
UPDATE ZATTACHMENT SET ZDATA = CAST(x'02' || '0308CA1C-D76C-4F97-8631-28E8EFF6F510' || x'00' AS BLOB) WHERE Z_PK = 1;
