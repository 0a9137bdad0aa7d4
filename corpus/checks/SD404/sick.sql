-- Links to tags that are gone, from a note that never was, and to nothing; a friend who is gone, in one direction.
-- store: Notes.sqlite
-- finds: SD404 error Note.tags 4 [1, 99, 2, NULL]
INSERT INTO Z_3TAGS (Z_3NOTES, Z_5TAGS) VALUES (1, 99), (99, 1), (2, NULL), (NULL, NULL);
