/** Decides where a move begins or goes on, and refuses a target that holds anything that no move from its source left there. */
import type { MoveState, StoreFingerprint, TransferSource, TransferTarget } from './migrate-ports.ts';

const EMPTY: StoreFingerprint = { seq: 0, audit: 0, directoryVersion: 0, listsVersion: 0 };
const START: MoveState = { checkpoint: { seq: 0, requestId: '' }, sourceFingerprint: EMPTY };

/** @throws with one line; nothing was changed */
export async function findPlace(source: TransferSource, target: TransferTarget): Promise<MoveState> {
  await refuseStrangers(source, target);
  const state = await target.state();
  if (!isSame(await target.fingerprint(), state?.sourceFingerprint ?? EMPTY)) {
    throw new Error(
      state === undefined
        ? 'the database is in use already: an installation moves into an empty one'
        : 'the database has been in use since this installation was moved there: moving again would undo that',
    );
  }
  if (state === undefined) return START;
  const { seq, requestId } = state.checkpoint;
  if (seq > 0 && source.idAt(seq) !== requestId)
    throw new Error('the database was filled from another installation, or from a newer state of this one');
  return state;
}

/** @throws when the target holds an account or a user that the source does not know */
export async function refuseStrangers(
  source: Pick<TransferSource, 'ids'>,
  target: Pick<TransferTarget, 'unknownRows'>,
): Promise<void> {
  for (const table of ['accounts', 'auth_users'] as const) {
    const [stranger] = await target.unknownRows(table, source.ids(table));
    if (stranger !== undefined)
      throw new Error(`the database belongs to another installation: ${stranger} is unknown here`);
  }
}

function isSame(one: StoreFingerprint, other: StoreFingerprint): boolean {
  return (
    one.seq === other.seq &&
    one.audit === other.audit &&
    one.directoryVersion === other.directoryVersion &&
    one.listsVersion === other.listsVersion
  );
}
