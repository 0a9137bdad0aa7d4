-- A value that is longer than what is read: the rows after it are not looked at.
-- store: Notes.sqlite
-- finds: SD108 warning Attachment 1 []
-- skips: table 'ZATTACHMENT' cannot be read whole: string or blob too big
UPDATE ZATTACHMENT SET ZDATA = zeroblob(268435457) WHERE Z_PK = 2;
