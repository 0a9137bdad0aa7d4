-- The table of tags is gone.
-- store: Notes.sqlite
-- finds: SD301 error Tag 1 []
-- skips: 'Tag.name': not looked at, because no column is known for it
-- skips: there is no table 'ZTAG'
DROP TABLE ZTAG;
