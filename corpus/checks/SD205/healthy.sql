-- The names of things in rows are no part of the model.
-- store: Notes.sqlite
UPDATE ZTAG SET ZNAME = upper(ZNAME);
