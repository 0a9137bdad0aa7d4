-- A passport that does not name its holder, and one that names another player; a coach whose team has another.
-- store: Club.sqlite
-- finds: SD406 note Coach.team 1 [3]
-- finds: SD406 note Passport.holder 1 [3]
-- finds: SD406 note Person.passport 2 [4, 5]
-- finds: SD406 note Team.coach 1 [3]
UPDATE ZPASSPORT SET ZHOLDER = NULL, Z4_HOLDER = NULL WHERE Z_PK = 2;
UPDATE ZPASSPORT SET ZHOLDER = 7 WHERE Z_PK = 3;
UPDATE ZTEAM SET ZCOACH = 2 WHERE Z_PK = 3;
