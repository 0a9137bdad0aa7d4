-- Without notes nothing lacks the new attribute.
-- store: Notes.sqlite
-- model: Notes.xcdatamodeld#Notes 3
-- finds: SD801 note  1 []
-- finds: SD809 note Note.body 1 []
DELETE FROM ZNOTE; DELETE FROM ZATTACHMENT; DELETE FROM Z_3TAGS;
