-- The cache holds something that is no archive.
-- store: Notes.sqlite
-- finds: SD204 warning Z_MODELCACHE 1 []
-- skips: 'Folder.parent': not looked at, because it is not known where it leads
-- skips: without a model nobody knows how many objects a relationship may have
-- skips: without a model nobody knows which columns belong to the store
-- skips: without a model nobody knows which objects are owned
-- skips: without a model nobody knows which relationships are required
UPDATE Z_MODELCACHE SET Z_CONTENT = x'00112233';
