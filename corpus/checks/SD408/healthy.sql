-- A team of three is as many as may be, one of one is fewer than others but none too few.
-- store: Club.sqlite
UPDATE ZPERSON SET ZTEAM1 = 1, Z_FOK_TEAM = 9000 WHERE Z_PK = 6;
