-- The first eight bytes of the hash of Tag in the metadata are others; what is computed from the hashes no longer fits.
-- store: Notes.sqlite
-- finds: SD202 warning Z_METADATA 1 []
-- finds: SD203 warning Z_METADATA 1 []
-- finds: SD205 warning Tag 1 []
UPDATE Z_METADATA SET Z_PLIST = CAST(
  substr(Z_PLIST, 1, instr(Z_PLIST, x'D1D3DE799E01B27D') - 1) || x'0000000000000000' || substr(Z_PLIST, instr(Z_PLIST, x'D1D3DE799E01B27D') + 8) AS BLOB);
