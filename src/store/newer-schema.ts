/** Refuses a database that a newer Gatehouse has updated, with advice. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';

  /** @param known the newest schema of this version */
  constructor(schema: number, known: number) {
    super(
      `the database has schema ${schema}, newer than this Gatehouse knows (${known}): install the version that updated it, or restore the backup from before the upgrade`,
    );
  }
}
