-- CloudKit's table of records, and a model that does not keep its rules.
-- store: Club.sqlite
-- finds: SD703 note  1 []
-- finds: SD704 warning League.teams 1 []
-- finds: SD704 warning Match.teams 1 []
-- finds: SD704 warning Team.league 1 []
-- finds: SD704 warning Team.players 1 []
-- finds: SD704 warning Team.trophies 1 []
-- skips: what CloudKit knows of the rows cannot be read: ANSCKRECORDMETADATA has no column ZCKRECORDNAME, ZNEEDSUPLOAD
CREATE TABLE ANSCKRECORDMETADATA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYID INTEGER,
  ZENTITYPK INTEGER );
