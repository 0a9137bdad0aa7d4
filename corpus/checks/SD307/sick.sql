-- A view, a virtual table and a trigger of somebody else's, and a trigger that only seems to be Core Data's.
-- store: Notes.sqlite
-- finds: SD307 error recent 1 []
-- finds: SD307 error search 1 []
-- finds: SD307 error Note 1 [NULL]
-- finds: SD307 error Tag 1 [NULL]
CREATE VIEW recent AS SELECT * FROM ZNOTE;
CREATE VIRTUAL TABLE search USING fts4(body);
CREATE TRIGGER log_notes AFTER UPDATE ON ZNOTE BEGIN DELETE FROM ZTAG; END;
CREATE TRIGGER Z_DA_ZTAG_Tag_x AFTER INSERT ON ZTAG BEGIN SELECT load_extension('x'); END;
