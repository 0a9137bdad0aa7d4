set -e
cat > recipe.yaml <<'YAML'
version: 1
backfill:
  - {entity: Note, attribute: body, from: title}
relink:
  - {entity: Note, relationship: folder, match: {folderNam: name}}
structure: [join-orphans, high-water]
YAML
