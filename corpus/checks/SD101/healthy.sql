-- A file that is as long as its header says, and no longer than it has to be.
-- store: Notes.sqlite
VACUUM;
