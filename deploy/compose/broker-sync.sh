#!/bin/sh
# Every five seconds: the certificate from Caddy and the logins of sites from the cloud. If either fails, the last one stays.
folder=/etc/mosquitto/hlid
umask 077
while sleep 5; do
  for kind in crt key; do
    case $kind in crt) file=fullchain.pem ;; key) file=privkey.pem ;; esac
    found=$(find /caddy/caddy/certificates -name "$HLID_DOMAIN.$kind" 2>/dev/null | head -n 1)
    if [ -n "$found" ] && ! cmp --silent "$found" "$folder/$file"; then
      cp "$found" "$folder/$file.next"
      chown --reference="$folder/sites" "$folder/$file.next"
      mv "$folder/$file.next" "$folder/$file"
      kill -HUP 1
    fi
  done
  cp /broker-login "$folder/cloud-login"
  hlid-broker-logins
done
