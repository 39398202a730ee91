/** Erases in PostgreSQL: anonymous assessments take the places of others, with what is stored about them in the same transaction. */
import { createRedactAudit } from '../audit.ts';
import { anonymizeStatements, createErasureNotes } from '../erasure-statements.ts';
import type { AnonymousAssessment, ErasureStore } from '../erasure-store.ts';
import type { SqlDatabase } from '../sql-database.ts';
import type { Database, Query } from './database.ts';

/** The partition stays, because the new id has the same time. */
const WRITE = `UPDATE assessments AS a SET request_id = input.id, email_domain = input.domain,
    address_hash = input.address, mailbox_hash = input.mailbox, email_masked = input.masked, email = NULL, ip = NULL,
    network = NULL, country_code = '', asn = 0, session_id = NULL, facts = input.facts
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    AS input (erased, id, domain, address, mailbox, masked, facts)
  WHERE a.request_id = input.erased`;
const AT_ONCE = 100;

export function createErasureStore(
  { transaction }: Pick<Database, 'transaction'>,
  database: Pick<SqlDatabase, 'query' | 'change' | 'nextVersion' | 'newVersion'>,
): ErasureStore {
  return {
    async anonymizeAssessments(erased) {
      for (let from = 0; from < erased.length; from += AT_ONCE)
        await transaction((run) => anonymizeRows(run, erased.slice(from, from + AT_ONCE)));
    },
    ...createErasureNotes(database),
    redactAudit: createRedactAudit(database),
    // Its indexes are those of the tables.
    rebuildIndex: async () => {},
    // The server's own VACUUM does it.
    overwriteFreed: async () => {},
    rewriteAll: async () => {},
  };
}

async function anonymizeRows(run: Query, erased: readonly AnonymousAssessment[]): Promise<void> {
  const ids = erased.map(({ erasedId }) => erasedId);
  const column = (
    name: 'requestId' | 'emailDomain' | 'addressHash' | 'mailboxHash' | 'emailMasked' | 'facts',
  ) => erased.map(({ replacement }) => replacement[name]);
  await run(WRITE, [
    ids,
    column('requestId'),
    column('emailDomain'),
    column('addressHash'),
    column('mailboxHash'),
    column('emailMasked'),
    column('facts'),
  ]);
  const about = erased.flatMap(({ erasedId, replacement }) =>
    anonymizeStatements(erasedId, replacement.requestId),
  );
  for (const { sql, values } of about) await run(sql, values);
}
