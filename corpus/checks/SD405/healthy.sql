-- A person may be a friend of themselves, in one row.
-- store: Club.sqlite
INSERT INTO Z_4FRIENDS VALUES (9, 9), (7, 8), (8, 7);
