/** Checks the secret against the database and lists the data that would be lost without it. */
import { createHmac } from 'node:crypto';

/** Data that can only be used with the secret that it was made with. */
export interface SecretUse {
  readonly sessions: number;
  readonly secondFactors: number;
  /** Own-list entries for addresses. */
  readonly addressEntries: number;
  /** Hooks whose secret is encrypted with it. */
  readonly hooks: number;
  readonly assessments: number;
}

/** Set if the operator insists on a new secret. */
export interface NewSecret {
  /** Called with what will be lost, before anything is lost. */
  readonly onLoss: (loss: string) => void;
}

/** Differs for each secret, and reveals nothing of it. */
export function checkOf(secret: Buffer): Buffer {
  return createHmac('sha256', secret).update('gatehouse: the secret of this database').digest();
}

/**
 * Refuses to start without the secret unless the operator insists.
 * @param fault what is wrong with the secret
 * @param always whether it is refused also where nothing would be lost
 * @throws unless the operator insists; `onLoss` is called first
 */
export function refuseLoss(
  fault: string,
  use: SecretUse,
  insist: NewSecret | undefined,
  always = false,
): void {
  const loss = describeLoss(use);
  if (insist === undefined && (always || loss !== undefined)) {
    const then = loss === undefined ? '' : ` Then: ${loss}.`;
    throw new Error(
      `${fault}. Restore the secret from a backup, or set GATEHOUSE_SECRET to it. To continue with a new one, run \`gatehouse start --new-secret\`.${then}`,
    );
  }
  if (loss !== undefined) insist?.onLoss(loss);
}

function describeLoss(use: SecretUse): string | undefined {
  const parts = [
    count(use.sessions, 'session ends', 'sessions end'),
    count(use.secondFactors, 'second factor no longer works', 'second factors no longer work'),
    count(
      use.addressEntries,
      'list entry for an address matches nobody',
      'list entries for addresses match nobody',
    ),
    count(use.hooks, 'hook needs its secret again', 'hooks need their secrets again'),
    count(
      use.assessments,
      'assessment is no longer found by its address',
      'assessments are no longer found by their addresses',
    ),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(', ');
}

function count(n: number, singular: string, plural: string): string | undefined {
  return n === 0 ? undefined : `${n} ${n === 1 ? singular : plural}`;
}
