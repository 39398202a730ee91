# Dumps the database into /backups, and keeps the newest $KEEP dumps. A dump gets its name after all of it could be read:
# what a killed job leaves ends with .partial, is no backup, and is removed by the next one.
set -eu
umask 077
cd "${BACKUPS:-/backups}"
rm -f gatehouse-*.dump.partial

# The password goes through the environment: others could read the arguments of pg_dump.
refuse() {
  echo "the URL of the database $1" >&2
  exit 1
}
url=$(cat "$DATABASE_URL_FILE")
case $url in
*[?\&]*password=*) refuse 'has its password behind the question mark: write it before the host' ;;
*://*) ;;
*) refuse 'does not begin with postgres://' ;;
esac
rest=${url#*://}
user=${rest%%[@/?]*}
case ${rest#"$user"} in
@*)
  case $user in
  *:*)
    encoded=${user#*:}
    PGPASSWORD=
    # Two digits behind each percent sign are a byte.
    while [ "${encoded#*%}" != "$encoded" ]; do
      PGPASSWORD=$PGPASSWORD${encoded%%%*}
      encoded=${encoded#*%}
      case $encoded in
      0[0Aa]*) refuse 'has a password with a line break or a zero byte' ;;
      [0-9A-Fa-f][0-9A-Fa-f]*) ;;
      *) refuse 'has a password with a percent sign that is not written as %25' ;;
      esac
      PGPASSWORD=$PGPASSWORD$(printf "\\$(printf %03o "0x$(printf %.2s "$encoded")")")
      encoded=${encoded#??}
    done
    PGPASSWORD=$PGPASSWORD$encoded
    export PGPASSWORD
    url=${url%%://*}://${user%%:*}${rest#"$user"}
    ;;
  esac
  ;;
esac

name="gatehouse-$(date -u +%Y-%m-%dT%H-%M-%SZ).dump"
pg_dump --format=custom --file="$name.partial" "$url"
pg_restore --file=/dev/null "$name.partial"
sync "$name.partial"
mv "$name.partial" "$name"
ls -1 gatehouse-*.dump | sort -r | tail -n "+$((KEEP + 1))" | while read -r old; do rm -f "$old"; done
ls -l "$name"
