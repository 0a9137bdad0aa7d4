-- Inline, also where the value looks like a reference, and nothing.
-- store: Notes.sqlite
UPDATE ZATTACHMENT SET ZDATA = x'0102' WHERE Z_PK = 1;
UPDATE ZATTACHMENT SET ZDATA = CAST(x'01' || '0308CA1C-D76C-4F97-8631-28E8EFF6F510' || x'00' AS BLOB) WHERE Z_PK = 2;
UPDATE ZATTACHMENT SET ZDATA = NULL WHERE Z_PK = 3;
