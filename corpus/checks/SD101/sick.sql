-- A copy that broke off: the header is there, and most pages are not.
-- store: Notes.sqlite
-- cut: 6000
-- finds: SD101 error  1 []
SELECT 1;
