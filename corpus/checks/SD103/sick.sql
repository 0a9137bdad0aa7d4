-- An index that was not told of a change, and one whose page is gone.
-- store: Notes.sqlite
-- zeros: 9
-- finds: SD103 error Attachment 1 [NULL]
-- finds: SD103 error Note 1 []
PRAGMA writable_schema = ON;
CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'Z_Note_byCreationDate';
DELETE FROM sqlite_schema WHERE name = 'Z_Note_byCreationDate';
PRAGMA writable_schema = RESET;
UPDATE ZNOTE SET ZCREATEDAT = ZCREATEDAT + 1 WHERE Z_PK = 2;
PRAGMA writable_schema = ON;
INSERT INTO sqlite_schema SELECT * FROM kept;
DROP TABLE kept;
PRAGMA writable_schema = RESET;
