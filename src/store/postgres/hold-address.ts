/** Makes claims and verifications of the same address run one after the other. */
import { encodeText } from '../text.ts';
import type { Query } from './database.ts';

const HOLD = 'SELECT pg_advisory_xact_lock(7126011, hashtext($1))';

/** Until the transaction ends. */
export async function holdAddress(run: Query, address: string): Promise<void> {
  await run(HOLD, [encodeText(address)]);
}
