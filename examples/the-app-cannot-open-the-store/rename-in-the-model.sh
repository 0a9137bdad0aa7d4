set -e
cd 'Notes.xcdatamodeld/Notes 3.xcdatamodel' && sed 's/name="modifiedAt" attr/name="modifiedAt" optional="YES" attr/
s/name="bodyText" opt/name="bodyText" renamingIdentifier="body" opt/' contents > new && mv new contents
