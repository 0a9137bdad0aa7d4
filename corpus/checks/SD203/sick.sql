-- The checksum "Jr1j0U3Q..." begins with other letters.
-- store: Notes.sqlite
-- finds: SD203 warning Z_METADATA 1 []
UPDATE Z_METADATA SET Z_PLIST = CAST(
  substr(Z_PLIST, 1, instr(Z_PLIST, x'4A72316A30553351') - 1) || x'4141414141414141' || substr(Z_PLIST, instr(Z_PLIST, x'4A72316A30553351') + 8) AS BLOB);
