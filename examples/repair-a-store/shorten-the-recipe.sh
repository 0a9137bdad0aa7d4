set -e
sed '/^relink/,/folderNam/d' recipe.yaml > shorter.yaml && mv shorter.yaml recipe.yaml
