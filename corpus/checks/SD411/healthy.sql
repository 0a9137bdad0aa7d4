-- One long branch: each folder is in the one before it.
-- store: Notes.sqlite
UPDATE ZFOLDER SET ZPARENT = nullif(Z_PK - 1, 0);
