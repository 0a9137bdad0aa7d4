-- An entity that the model does not know, without a table.
-- store: Notes.sqlite
-- finds: SD206 warning Draft 1 []
-- skips: SD209 there is no table 'ZDRAFT'
-- skips: SD210 there is no table 'ZDRAFT'
-- skips: SD211 there is no table 'ZDRAFT'
-- skips: SD702 there is no table 'ZDRAFT'
-- skips: SD705 there is no table 'ZDRAFT'
INSERT INTO Z_PRIMARYKEY VALUES (6, 'Draft', 0, 0);
