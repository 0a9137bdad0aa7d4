-- Personal is in Travel, which is in Personal; Work is in itself. Archive, in Work, is on no loop.
-- store: Notes.sqlite
-- finds: SD411 warning Folder.parent 3 [1, 2, 3]
UPDATE ZFOLDER SET ZPARENT = 3 WHERE Z_PK = 1;
UPDATE ZFOLDER SET ZPARENT = 2 WHERE Z_PK = 2;
