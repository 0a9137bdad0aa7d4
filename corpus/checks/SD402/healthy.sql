-- A passport's holder is a Person: a Coach and a Player are persons too, and so is one who is only that.
-- store: Club.sqlite
INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZPASSPORT, ZNAME) VALUES (10, 4, 1, 5, 'Referee');
INSERT INTO ZPASSPORT (Z_PK, Z_ENT, Z_OPT, ZHOLDER, Z4_HOLDER) VALUES (5, 3, 1, 10, 4);
UPDATE Z_PRIMARYKEY SET Z_MAX = 10 WHERE Z_ENT = 4;
UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_ENT = 3;
