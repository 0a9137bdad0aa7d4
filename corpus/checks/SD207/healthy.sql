-- Objects with higher keys were deleted.
-- store: Notes.sqlite
UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_NAME IN ('Note', 'Folder', 'CHANGE');
