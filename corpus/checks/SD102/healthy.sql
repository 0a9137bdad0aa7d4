-- Pages that are free hold whatever they held.
-- store: Notes.sqlite
DELETE FROM ACHANGE; DELETE FROM ATRANSACTION;
