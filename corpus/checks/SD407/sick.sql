-- A team without its league, a match without teams.
-- store: Club.sqlite
-- finds: SD407 warning Match.teams 1 [2]
-- finds: SD407 warning Team.league 1 [2]
UPDATE ZTEAM SET ZLEAGUE = NULL WHERE Z_PK = 2;
DELETE FROM Z_2TEAMS WHERE Z_2MATCHES = 2;
