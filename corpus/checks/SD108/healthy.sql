-- A long value that is read.
-- store: Notes.sqlite
UPDATE ZATTACHMENT SET ZDATA = CAST(x'01' || zeroblob(5000000) AS BLOB) WHERE Z_PK = 2;
