-- A copy alone says nothing: notes were deleted here, and the pages are in use.
-- store: Club.sqlite
-- file: Club.sqlite.corrupt-2024-05-01
-- file: Clubhouse.sqlite
UPDATE Z_PRIMARYKEY SET Z_MAX = 99 WHERE Z_NAME = 'Team';
