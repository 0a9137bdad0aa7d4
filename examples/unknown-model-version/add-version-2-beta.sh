set -e
cd app && git show main:Models/TripsV2.swift | sed 's/TripsV2/TripsV2Beta/; s/Version(2, 0, 0)/Version(2, 1, 0)/' > Models/TripsV2Beta.swift &&
python3 -c '
path = "Models/TripsPlan.swift"
text = open(path).read().replace("TripsV2.self, TripsV3.self]", "TripsV2.self, TripsV2Beta.self, TripsV3.self]")
stage = "      .lightweight(fromVersion: TripsV2%s.self, toVersion: TripsV%s.self),\n"
open(path, "w").write(text.replace(stage % ("", "3"), stage % ("", "2Beta") + stage % ("Beta", "3")))
'
