-- Places need not be multiples of anything, nor in the order of the rows, and each owner has its own.
-- store: Club.sqlite
UPDATE ZPERSON SET Z_FOK_TEAM = -Z_FOK_TEAM;
UPDATE ZPERSON SET ZTEAM1 = NULL, Z_FOK_TEAM = NULL WHERE Z_PK = 9;
