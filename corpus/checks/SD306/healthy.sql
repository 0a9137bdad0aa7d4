-- Written small, it is the same type.
-- store: Notes.sqlite
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'ZTITLE VARCHAR', 'ZTITLE varchar') WHERE name = 'ZNOTE';
PRAGMA writable_schema = RESET;
