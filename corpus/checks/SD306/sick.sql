-- A string declared as a number.
-- store: Notes.sqlite
-- finds: SD306 warning Note.title 1 []
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'ZTITLE VARCHAR', 'ZTITLE INTEGER') WHERE name = 'ZNOTE';
PRAGMA writable_schema = RESET;
