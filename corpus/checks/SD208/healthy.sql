-- None is as good as 0.
-- store: Notes.sqlite
UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_NAME = 'Checklist';
