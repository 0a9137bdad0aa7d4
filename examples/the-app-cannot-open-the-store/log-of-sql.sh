set -e
cp ../../corpus/Notes.sqlite Notes.sqlite && cat > debug.txt <<'LOG'
Notes[1:2] CoreData: sql: SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZTITLE, t0.ZMOOD FROM ZNOTE t0 WHERE  t0.ZFOLDER = ?
Notes[1:2] CoreData: sql: SELECT 0, t0.Z_5TAGS FROM Z_3TAGS t0 WHERE t0.Z_3NOTES = ?
Notes[1:2] CoreData: error: (1) no such column: t0.ZMOOD
LOG
