-- A checklist may become a note.
-- store: Notes.sqlite
UPDATE ZNOTE SET Z_ENT = 3, ZDONE = NULL, ZTOTAL = NULL WHERE Z_PK = 6;
UPDATE ZATTACHMENT SET Z3_NOTE = 3 WHERE ZNOTE = 6;
