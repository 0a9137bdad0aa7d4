set -e
sed 's/budget: Double/budget: Decimal/' Models/TripsV3.swift > edited && mv edited Models/TripsV3.swift
