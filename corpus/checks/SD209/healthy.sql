-- A note may become a checklist.
-- store: Notes.sqlite
UPDATE ZNOTE SET Z_ENT = 4, ZDONE = 0, ZTOTAL = 0 WHERE Z_PK = 1;
UPDATE ZATTACHMENT SET Z3_NOTE = 4 WHERE ZNOTE = 1;
