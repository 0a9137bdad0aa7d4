-- An entity that the model does not know, without a table.
-- store: Notes.sqlite
-- finds: SD206 warning Draft 1 []
-- finds: SD301 error Draft 1 []
-- skips: 'Draft': not in the model, so attributes and relationships are not looked at
-- skips: there is no table 'ZDRAFT'
INSERT INTO Z_PRIMARYKEY VALUES (6, 'Draft', 0, 0);
