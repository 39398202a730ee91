/** Decides what a domain says about the mail hosts that serve it: that it is listed, that it is ordinary, or nothing. */
import type { DomainKnowledge } from '../intel/intel.ts';
import type { ServedKind } from './mail-host-record.ts';

/** A domain that takes mail, by what is known of it already. */
export interface ServedDomain {
  /** The account that asks. */
  readonly account: string;
  readonly domain: string;
  readonly known: DomainKnowledge;
  /** By preference; at least one. */
  readonly hosts: readonly string[];
  /** −1 when unknown. */
  readonly ageDays: number;
}

/** A domain this young is no proof that its host is an ordinary one. */
const YOUNG_DAYS = 30;
/** Throw-away domains are seldom kept so long: such a domain speaks for its host even when the host is flagged. */
const ESTABLISHED_DAYS = 365;

/** `undefined`: the host is flagged, so that the domain may be ordinary or not; what was seen before remains. */
export function kindOf({ known, ageDays }: ServedDomain, flagged: boolean): ServedKind | undefined {
  if (known.disposable) return 'listed';
  if (known.disputed) return 'neither';
  if (isVouched(known)) return 'ordinary';
  // Names below a suffix that is handed out to strangers cost nothing.
  if (known.listed.relay || known.listed.spam || known.sharedSuffix !== '') return 'neither';
  if (ageDays >= ESTABLISHED_DAYS) return 'ordinary';
  if (ageDays >= 0 && ageDays < YOUNG_DAYS) return 'neither';
  return flagged ? undefined : 'ordinary';
}

/** Known to be no throw-away, even if such domains have their mail at the same host. */
export function isVouched({ listed }: DomainKnowledge): boolean {
  return listed.consumer || listed.not_disposable;
}

export function listedEntry({ disposable, hits }: DomainKnowledge): string | undefined {
  if (!disposable) return undefined;
  return hits.find(({ fact }) => fact === 'disposable')?.entry;
}
