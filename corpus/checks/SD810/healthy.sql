-- Some entities are kept, and the store has no rows of any.
-- store: Shop.sqlite
-- model: Shop.sqlite
-- model: Shop.sqlite; only Item, Book, Game
-- finds: SD801 note  1 []
-- finds: SD809 note Sale 1 []
-- finds: SD809 note Shop 1 []
DELETE FROM ZSHOP; DELETE FROM ZSALE; DELETE FROM ZITEM;
