-- Two trophies of a team, and a passport of a player, that are not there any more.
-- store: Club.sqlite
-- finds: SD401 error Passport.holder 1 [4]
-- finds: SD401 error Team.trophies 2 [1, 2]
-- finds: SD410 note Passport 1 [4]
UPDATE ZTROPHY SET Z7TROPHIES = 99;
UPDATE ZPASSPORT SET ZHOLDER = 99 WHERE Z_PK = 4;
UPDATE ZPERSON SET ZPASSPORT = NULL WHERE Z_PK = 6;
