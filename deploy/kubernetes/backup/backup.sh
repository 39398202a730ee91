# Dumps the database into /backups, and keeps the newest $KEEP dumps. A dump gets its name after all of it could be read:
# what a killed job leaves ends with .partial, is no backup, and is removed by the next one.
set -eu
umask 077
cd "${BACKUPS:-/backups}"
rm -f gatehouse-*.dump.partial
name="gatehouse-$(date -u +%Y-%m-%dT%H-%M-%SZ).dump"
pg_dump --format=custom --file="$name.partial" "$(cat "$DATABASE_URL_FILE")"
pg_restore --file=/dev/null "$name.partial"
sync "$name.partial"
mv "$name.partial" "$name"
ls -1 gatehouse-*.dump | sort -r | tail -n "+$((KEEP + 1))" | while read -r old; do rm -f "$old"; done
ls -l "$name"
