set -e
cd app && git checkout -q main
