-- Three notes have keys beyond the highest handed out, and a folder; a table of history too.
-- store: Notes.sqlite
-- finds: SD207 warning Folder 1 [4]
-- finds: SD207 warning Note 1 [18]
-- finds: SD207 warning TRANSACTION 1 [1]
UPDATE Z_PRIMARYKEY SET Z_MAX = 15 WHERE Z_NAME = 'Note';
UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_NAME = 'Folder';
UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'TRANSACTION';
