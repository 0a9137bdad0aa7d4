-- Every length that UTF-8 has, and a control character.
-- store: Shop.sqlite
UPDATE ZITEM SET ZNAME = 'aä€😀' || char(1) || 'Käse und ein langer Text danach';
