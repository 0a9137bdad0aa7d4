-- Of notes with one UUID the first stays. It gets what it lacks from the others, and their links.
CREATE TEMP TABLE twin AS
  SELECT n.Z_PK AS pk, g.keep AS keep
  FROM ZNOTE AS n JOIN (SELECT ZUUID AS uuid, min(Z_PK) AS keep FROM ZNOTE GROUP BY ZUUID HAVING count(*) > 1) AS g
    ON n.ZUUID = g.uuid
  WHERE n.Z_PK <> g.keep;
CREATE UNIQUE INDEX twin_pk ON twin (pk);
CREATE INDEX twin_keep ON twin (keep);

UPDATE ZATTACHMENT SET
  Z_FOK_NOTE = Z_FOK_NOTE + ifnull(
    (SELECT max(a.Z_FOK_NOTE) FROM ZATTACHMENT AS a WHERE a.ZNOTE = (SELECT keep FROM twin WHERE pk = ZATTACHMENT.ZNOTE)),
    0),
  ZNOTE = (SELECT keep FROM twin WHERE pk = ZATTACHMENT.ZNOTE), Z_OPT = Z_OPT + 1
WHERE ZNOTE IN (SELECT pk FROM twin);

INSERT OR IGNORE INTO Z_3TAGS (Z_3NOTES, Z_4TAGS)
  SELECT twin.keep, t.Z_4TAGS FROM Z_3TAGS AS t JOIN twin ON t.Z_3NOTES = twin.pk;
DELETE FROM Z_3TAGS WHERE Z_3NOTES IN (SELECT pk FROM twin);

UPDATE ZNOTE SET
  ZTITLE = ifnull(ZTITLE, (SELECT n.ZTITLE FROM twin JOIN ZNOTE AS n ON n.Z_PK = twin.pk WHERE twin.keep = ZNOTE.Z_PK)),
  ZBODY = ifnull(ZBODY, (SELECT n.ZBODY FROM twin JOIN ZNOTE AS n ON n.Z_PK = twin.pk WHERE twin.keep = ZNOTE.Z_PK)),
  ZCOLOR = ifnull(ZCOLOR, (SELECT n.ZCOLOR FROM twin JOIN ZNOTE AS n ON n.Z_PK = twin.pk WHERE twin.keep = ZNOTE.Z_PK)),
  ZFOLDER = ifnull(ZFOLDER, (SELECT n.ZFOLDER FROM twin JOIN ZNOTE AS n ON n.Z_PK = twin.pk WHERE twin.keep = ZNOTE.Z_PK)),
  Z_OPT = Z_OPT + 1
WHERE Z_PK IN (SELECT keep FROM twin);
DELETE FROM ZNOTE WHERE Z_PK IN (SELECT pk FROM twin);
