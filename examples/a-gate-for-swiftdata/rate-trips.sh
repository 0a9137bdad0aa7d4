set -e
sed 's/^    var isArchived.*/&\n    var rating: Int = 0/' Sources/Models/TripsV2.swift > edited && mv edited Sources/Models/TripsV2.swift
