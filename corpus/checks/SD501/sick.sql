-- A book without a name (its sub-entity's column of labels is not required), a game without a label, a sale without a
-- width, and one with neither part of its size: the width is a required leaf all the same.
-- store: Shop.sqlite
-- finds: SD501 warning Game.label 1 [4]
-- finds: SD501 warning Item.name 2 [1, 5]
-- finds: SD501 warning Sale.size.width 2 [2, 3]
UPDATE ZITEM SET ZNAME = NULL WHERE Z_PK IN (1, 5);
UPDATE ZITEM SET ZLABEL1 = NULL WHERE Z_PK = 4;
UPDATE ZSALE SET ZWIDTH = NULL WHERE Z_PK IN (2, 3);
UPDATE ZSALE SET ZDEPTH = NULL WHERE Z_PK = 3;
