-- Two of the unique indexes are no longer there, or no longer unique.
-- store: Notes.sqlite
-- finds: SD305 warning Folder.name 1 []
-- finds: SD305 warning Tag.name 1 []
DROP INDEX Z_Tag_UNIQUE_name;
DROP INDEX Z_Folder_UNIQUE_name;
CREATE INDEX Z_Folder_UNIQUE_name ON ZFOLDER (ZNAME COLLATE BINARY ASC);
