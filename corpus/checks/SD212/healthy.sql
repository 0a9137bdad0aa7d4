-- A bird may become a cat.
-- store: Shapes.sqlite
UPDATE ZANIMAL SET Z_ENT = 3 WHERE Z_PK = 5;
UPDATE ZHOUSE SET Z1_PET = 3 WHERE ZPET = 5;
