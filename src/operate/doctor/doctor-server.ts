/** Decides what `gatehouse doctor` says about an installation in PostgreSQL. */
import type { Config } from '../../config/config.ts';
import type { DoctorCheck } from '../../model/doctor-check.ts';
import { megabytes } from '../../platform/megabytes.ts';
import type { ExaminedServer } from '../../store/postgres/examine.ts';
import { checkOf } from '../../store/secret-use.ts';
import { type DoctorVerdict, judgeNewer, toCheck } from './to-check.ts';

/** The database, and whether the secret belongs to it. */
export function judgeServer(server: ExaminedServer, secret: Config['secret']): DoctorCheck[] {
  const database = toCheck('database', judgeDatabase(server));
  if (server.schema !== server.known) return [database];
  return [database, toCheck('secret', judgeSecret(server, secret))];
}

function judgeDatabase(server: ExaminedServer): DoctorVerdict {
  const { version, bytes, schema, known, isStandby, badPages, invalidIndexes } = server;
  if (schema === 0) {
    const advice = 'set DATABASE_URL to its database, or run `gatehouse start`';
    return ['failed', 'there is no installation in it', advice];
  }
  if (schema > known) return judgeNewer(schema, known);
  if (isStandby)
    return ['failed', 'this server is a standby: nothing can be stored', 'set DATABASE_URL to the primary'];
  if (badPages !== null && badPages > 0) {
    const advice = 'restore from a backup: docs/backup.md';
    return ['failed', `${badPages} pages do not match their checksum`, advice];
  }
  if (invalidIndexes.length > 0)
    return ['warning', `indexes that are not valid: ${invalidIndexes.join(', ')}`, 'run REINDEX on them'];
  const size = `PostgreSQL ${version}, ${megabytes(bytes)}, schema ${schema}`;
  if (schema < known) return ['ok', `${size} of an older version: the next start updates it to ${known}`];
  const pages = badPages === null ? 'the server keeps no checksums of its pages' : 'no damaged pages';
  return ['ok', `${size}; ${pages}`];
}

function judgeSecret(
  { keepsSecret, secretCheck }: ExaminedServer,
  configured: Config['secret'],
): DoctorVerdict {
  const advice =
    'set GATEHOUSE_SECRET to the secret of this installation; docs/data.md says what is lost without it';
  if (secretCheck === null) return ['ok', 'none was used yet'];
  if (configured === null)
    return keepsSecret
      ? ['ok', 'it is in the database']
      : ['failed', 'the database is used with a secret that is kept elsewhere', advice];
  if (!checkOf(configured).equals(secretCheck))
    return ['failed', 'GATEHOUSE_SECRET is not the secret that the database is used with', advice];
  return ['ok', 'it belongs to the database'];
}
