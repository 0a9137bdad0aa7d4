-- A change of a transaction that is gone, one of an entity that is gone, and an author who is.
-- store: Notes.sqlite
-- finds: SD701 warning ATRANSACTION.ZAUTHORTS 1 [1]
-- finds: SD701 warning ACHANGE.ZENTITY 1 [3]
-- finds: SD701 warning ACHANGE.ZTRANSACTIONID 1 [2]
INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES
  (2, 16001, 1, 1, 4, 1, 7), (3, 16001, 1, 1, 77, 1, 1);
UPDATE ATRANSACTION SET ZAUTHORTS = 9;
UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'CHANGE';
