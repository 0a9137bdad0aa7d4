-- A bird that is only an animal.
-- store: Shapes.sqlite
-- finds: SD212 warning Animal 1 [5]
UPDATE ZANIMAL SET Z_ENT = 1 WHERE Z_PK = 5;
UPDATE ZHOUSE SET Z1_PET = 1 WHERE ZPET = 5;
