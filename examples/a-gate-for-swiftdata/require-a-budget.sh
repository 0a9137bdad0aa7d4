set -e
cp ../../corpus/Trips/Models/*.swift Sources/Models/ && sed 's/var budget: Double?/var budget: Double/' ../../corpus/Trips/Models/Trip.swift > Sources/Models/Trip.swift
