-- The version given has no place for bodies and numbers of notes. All notes have a body, and none has a number.
-- store: Notes.sqlite
-- model: Notes.xcdatamodeld#Notes 2
-- model: Notes.sqlite; drop Note.body, Note.uuid
-- finds: SD801 note  1 []
-- finds: SD809 warning Note.body 18 [1, 2, 3, 4, 5]
-- finds: SD809 note Note.uuid 1 []
UPDATE ZNOTE SET ZUUID = NULL;
