/** The advice about a damaged database file. */
export const RESTORE_BACKUP = 'keep a copy of the file and restore the newest backup (docs/backup.md)';
const GO_ON = `${RESTORE_BACKUP}, or save what can still be read with \`sqlite3 FILE .recover\``;
/** Messages of SQLite about a file whose pages make no sense, and of our own check. */
const DAMAGED =
  /\b(?:disk image is malformed|malformed database schema\b.*|file is not a database|the file is damaged\b.*)/;

/** A message as it is; one about a damaged file with what to do. */
export function adviseIfDamaged(message: string): string {
  return DAMAGED.test(message) && !message.includes(RESTORE_BACKUP) ? `${message}; ${GO_ON}` : message;
}
