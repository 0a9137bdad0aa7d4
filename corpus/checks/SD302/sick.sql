-- A column of an attribute, and the key of a relationship, have other names.
-- store: Notes.sqlite
-- finds: SD302 error Folder.parent 1 []
-- finds: SD302 error Note.title 1 []
-- finds: SD303 note Folder 1 [NULL]
-- finds: SD303 note Note 1 [NULL]
-- skips: 'Folder.parent': not looked at, because no column is known for it
-- skips: 'Note.title': not looked at, because no column is known for it
ALTER TABLE ZNOTE RENAME COLUMN ZTITLE TO ZHEADLINE;
ALTER TABLE ZFOLDER RENAME COLUMN ZPARENT TO ZABOVE;
