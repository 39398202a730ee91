/** Decides what a domain is worth as a lesson about the mail hosts that serve it: listed, ordinary or neither. */
import type { DomainKnowledge } from '../../intel/intel.ts';
import type { Kind } from './standings.ts';

/** A domain that takes mail, by what is known of it already. */
export interface Served {
  readonly domain: string;
  readonly known: DomainKnowledge;
  /** By preference; at least one. */
  readonly hosts: readonly string[];
  /** −1 when unknown. */
  readonly ageDays: number;
}

/** A domain this young is no proof that its host is an ordinary one. */
const YOUNG_DAYS = 30;

/** A domain that is only associated counts as neither, so that what was concluded proves nothing further. */
export function kindOf({ known, ageDays }: Served, associated: boolean): Kind {
  if (known.disposable) return 'listed';
  if (known.disputed) return 'neither';
  if (isVouched(known)) return 'ordinary';
  const young = ageDays >= 0 && ageDays < YOUNG_DAYS;
  return associated || young || known.relay || known.spam ? 'neither' : 'ordinary';
}

/** Known to be no throw-away, even if such domains have their mail at the same host. */
export function isVouched({ consumer, hits }: DomainKnowledge): boolean {
  return consumer || hits.some(({ fact }) => fact === 'not_disposable');
}

export function listedEntry({ disposable, hits }: DomainKnowledge): string | undefined {
  if (!disposable) return undefined;
  return hits.find(({ fact }) => fact === 'disposable')?.entry;
}
