set -e
{ printf 'import Foundation\nimport SwiftData\n\n'; sed 's/^enum [A-Za-z0-9]*/enum TripsV2/' shipped.swift; } > Models/TripsV2.swift
