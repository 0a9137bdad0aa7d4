-- Bytes that are none, an archive that was cut off, and a property list that is no archive.
-- store: Shop.sqlite
-- finds: SD506 warning Sale.options 3 [1, 2, 3]
UPDATE ZSALE SET ZOPTIONS = x'00112233445566778899' WHERE Z_PK = 1;
UPDATE ZSALE SET ZOPTIONS = substr(ZOPTIONS, 1, 100) WHERE Z_PK = 2;
UPDATE ZSALE SET ZOPTIONS = CAST('<plist version="1.0"><string>gift</string></plist>' AS BLOB) WHERE Z_PK = 3;
