-- A column that keeps the number of an older version.
-- store: Notes.sqlite
ALTER TABLE ZNOTE RENAME COLUMN ZTITLE TO ZTITLE1;
