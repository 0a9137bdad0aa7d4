-- A journal that is kept, but of a transaction that ended.
-- store: Notes.sqlite
-- keeps: journal
PRAGMA journal_mode = PERSIST;
UPDATE ZFOLDER SET Z_OPT = Z_OPT + 1;
