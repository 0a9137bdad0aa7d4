-- Keys without an object to name are NULL; a key may lead to a row that comes later, and to the row itself.
-- store: Notes.sqlite
UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_PK = 7;
UPDATE ZFOLDER SET ZPARENT = 4 WHERE Z_PK = 1;
UPDATE ZFOLDER SET ZPARENT = 2 WHERE Z_PK = 2;
