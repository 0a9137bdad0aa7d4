-- The third team's coach is a player, and a match is between teams one of which is no team.
-- store: Club.sqlite
-- finds: SD402 error Team.coach 1 [3]
UPDATE ZTEAM SET ZCOACH = 9 WHERE Z_PK = 3;
UPDATE ZPERSON SET ZTEAM = NULL WHERE Z_PK = 3;
