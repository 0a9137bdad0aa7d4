-- A team of four, a match of one, another of three.
-- store: Club.sqlite
-- finds: SD408 warning Match.teams 2 [1, 2]
-- finds: SD408 warning Team.players 1 [1]
UPDATE ZPERSON SET ZTEAM1 = 1, Z_FOK_TEAM = Z_PK * 1024 WHERE Z_PK IN (6, 7);
DELETE FROM Z_2TEAMS WHERE Z_2MATCHES = 1 AND Z_7TEAMS = 1;
INSERT INTO Z_2TEAMS VALUES (2, 1, 5000);
