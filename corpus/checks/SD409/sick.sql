-- The second player has the place of the first, the third has none; both teams of a match are its first.
-- store: Club.sqlite
-- finds: SD409 warning Match.teams 1 [1]
-- finds: SD409 warning Team.players 2 [5, 6]
UPDATE ZPERSON SET Z_FOK_TEAM = 2048 WHERE Z_PK = 5;
UPDATE ZPERSON SET Z_FOK_TEAM = NULL WHERE Z_PK = 6;
UPDATE Z_2TEAMS SET Z_FOK_7TEAMS = 2048 WHERE Z_2MATCHES = 1;
