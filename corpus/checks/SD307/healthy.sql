-- Triggers as Core Data makes them for derived attributes.
-- store: Notes.sqlite
CREATE TRIGGER Z_DA_ZTAG_Tag_name_SOURCE_INSERT AFTER INSERT ON ZTAG FOR EACH ROW BEGIN
  UPDATE ZTAG SET Z_OPT = (SELECT COUNT(Z_5TAGS) FROM Z_3TAGS WHERE (Z_5TAGS = NEW.Z_PK)) WHERE Z_PK = NEW.Z_PK;
  SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZTAG', NEW.Z_ENT, NEW.Z_PK, 'name', NEW.ZNAME);
END;
