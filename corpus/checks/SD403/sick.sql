-- The number beside the key is the declared entity's, another's, missing, and there without a key.
-- store: Club.sqlite
-- finds: SD403 error Passport.holder 4 [1, 2, 3, 4]
-- finds: SD410 note Passport 1 [4]
UPDATE ZPASSPORT SET Z4_HOLDER = 4 WHERE Z_PK = 1;
UPDATE ZPASSPORT SET Z4_HOLDER = 5 WHERE Z_PK = 2;
UPDATE ZPASSPORT SET Z4_HOLDER = NULL WHERE Z_PK = 3;
UPDATE ZPASSPORT SET ZHOLDER = NULL WHERE Z_PK = 4;
UPDATE ZPERSON SET ZPASSPORT = NULL WHERE Z_PK = 6;
