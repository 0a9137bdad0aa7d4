-- A checklist is a note, and has no keys of its own.
-- store: Notes.sqlite
-- finds: SD208 note Checklist 1 []
UPDATE Z_PRIMARYKEY SET Z_MAX = -1 WHERE Z_NAME = 'Checklist';
