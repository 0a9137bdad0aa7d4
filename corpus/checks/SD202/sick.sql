-- The digest "3ukc0gLM..." begins with other letters.
-- store: Notes.sqlite
-- finds: SD202 warning Z_METADATA 1 []
UPDATE Z_METADATA SET Z_PLIST = CAST(
  substr(Z_PLIST, 1, instr(Z_PLIST, x'33756B6330674C4D') - 1) || x'4141414141414141' || substr(Z_PLIST, instr(Z_PLIST, x'33756B6330674C4D') + 8) AS BLOB);
