-- The page of a table is overwritten: which one, an index tells how many rows it had.
-- store: Notes.sqlite
-- zeros: 3
-- finds: SD102 error Attachment 1 [NULL]
-- skips: table 'ZATTACHMENT' cannot be read whole: database disk image is malformed
-- skips: table 'ZATTACHMENT' cannot be read: database disk image is malformed
SELECT 1;
