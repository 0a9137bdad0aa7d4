-- An app killed in the middle of a save that was already written to the file.
-- store: Notes.sqlite
-- keeps: journal
-- finds: SD106 warning  3 []
PRAGMA cache_spill = 1;
PRAGMA cache_size = 1;
BEGIN;
UPDATE ZNOTE SET ZTITLE = hex(randomblob(3000));
UPDATE ZFOLDER SET Z_OPT = 99;
UPDATE ZTAG SET Z_OPT = 99;
