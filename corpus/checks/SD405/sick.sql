-- 1 is a friend of 2, who does not know; the mirror of (7, 8) is missing the other way round; 9 has an orphaned link too.
-- store: Club.sqlite
-- finds: SD404 error Person.friends 1 [9]
-- finds: SD405 warning Person.friends 2 [1, 8]
DELETE FROM Z_4FRIENDS WHERE Z_4FRIENDS = 2;
INSERT INTO Z_4FRIENDS VALUES (8, 7), (9, 99);
