-- A value without the byte before it, a reference that was cut off, one in small letters.
-- store: Notes.sqlite
-- finds: SD603 error Attachment.data 3 [1, 2, 3]
UPDATE ZATTACHMENT SET ZDATA = x'ffd8ffe000104a46' WHERE Z_PK = 1;
UPDATE ZATTACHMENT SET ZDATA = CAST(x'02' || '0308CA1C-D76C' || x'00' AS BLOB) WHERE Z_PK = 2;
UPDATE ZATTACHMENT SET ZDATA = CAST(x'02' || '0308ca1c-d76c-4f97-8631-28e8eff6f510' || x'00' AS BLOB) WHERE Z_PK = 3;
