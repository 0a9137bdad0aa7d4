set -e
cd app && git checkout -q 2.0 -- Models/TripsV2.swift
