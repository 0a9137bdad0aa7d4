-- The last passport is nobody's any more.
-- store: Club.sqlite
-- finds: SD410 note Passport 1 [4]
UPDATE ZPERSON SET ZPASSPORT = NULL WHERE Z_PK = 6;
UPDATE ZPASSPORT SET ZHOLDER = NULL, Z4_HOLDER = NULL WHERE Z_PK = 4;
