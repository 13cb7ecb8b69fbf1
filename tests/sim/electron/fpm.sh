#!/bin/sh
# Takes the place of fpm, which makes a .deb: the package is what it was given, and all files it was to take are there.
for given; do
  [ "$before" = --package ] && package=$given
  case $given in
    /*=/* | ./*=/* | ../*=/*) test -e "${given%%=*}" || { echo "No ${given%%=*} in $PWD" >&2; exit 1; } ;;
  esac
  before=$given
done
printf '%s\n' "$@" > "$package"
