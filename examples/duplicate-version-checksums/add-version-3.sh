set -e
cp ../../corpus/Trips/Models/TripsV2.swift Models/TripsV2.swift && python3 -c '
text = open("Models/TripsV2.swift").read()
text = text.replace("TripsV2", "TripsV3").replace("Release 2.0.", "The same with clean rows.").replace("(2, 0, 0)", "(3, 0, 0)")
open("Models/TripsV3.swift", "w").write(text.replace("    var name", "    @Attribute(hashModifier: \"clean\") var name"))
'
