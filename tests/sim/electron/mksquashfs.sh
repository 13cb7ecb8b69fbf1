#!/bin/sh
# Takes the place of mksquashfs, which makes what an AppImage holds: the image is a list of its files.
{ cd "$1" && find . -type f | sort; } > "$2"
