-- History's own rows come with the first record and are no entities of the model; some stores have none.
-- store: Notes.sqlite
DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16000;
