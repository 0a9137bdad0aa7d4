-- A checklist is a note, and may have tags; a note may have none.
-- store: Notes.sqlite
DELETE FROM Z_3TAGS WHERE Z_3NOTES = 2;
INSERT OR IGNORE INTO Z_3TAGS (Z_3NOTES, Z_5TAGS) SELECT Z_PK, 3 FROM ZNOTE WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Checklist');
