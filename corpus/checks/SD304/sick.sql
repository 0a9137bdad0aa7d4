-- The links between notes and tags are gone.
-- store: Notes.sqlite
-- finds: SD304 error Note.tags 1 []
DROP TABLE Z_3TAGS;
