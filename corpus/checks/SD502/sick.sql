-- Duplicates that got in where the index is gone: three folders of one name, and two that only look like "Work".
-- store: Notes.sqlite
-- finds: SD305 warning Folder.name 1 []
-- finds: SD502 error Folder.name 3 [2, 8, 9]
DROP INDEX Z_Folder_UNIQUE_name;
INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES
  (8, 2, 1, 'Work'), (9, 2, 1, 'Work'), (10, 2, 1, ' work '), (11, 2, 1, 'WORK');
UPDATE Z_PRIMARYKEY SET Z_MAX = 11 WHERE Z_NAME = 'Folder';
