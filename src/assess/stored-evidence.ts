/** Decides how evidence is stored: without the values that are the same as in the model's empty evidence. */
import { EMPTY_EMAIL, EMPTY_IP, EMPTY_VELOCITY, type Evidence, type Hit } from '../model/evidence.ts';
import type { ListMatch } from '../model/list-entry.ts';

type Sparse<Facts> = { readonly [Fact in keyof Facts]?: Facts[Fact] | undefined };

/** As it is stored. Older records lack the facts that are newer than they are. */
export interface StoredEvidence {
  readonly snapshot?: string;
  readonly email?: Sparse<Evidence['email']>;
  readonly ip?: Sparse<NonNullable<Evidence['ip']>> | null | undefined;
  readonly velocity?: Sparse<Evidence['velocity']>;
  readonly list?: Evidence['list'] | undefined;
}

const HIT: Required<Hit> = { fact: '', source: '', entry: '', version: '' };
const LIST: ListMatch = { id: '', action: 'allow', kind: 'domain', value: '', reason: null };

/** The empty values, with what they do not show: the items of a list, and members that may be absent. */
export const EVIDENCE_SAMPLE = {
  snapshot: '',
  email: { ...EMPTY_EMAIL, mx: { ...EMPTY_EMAIL.mx, unanswered: false }, hits: [HIT] },
  ip: { ...EMPTY_IP, hits: [HIT] },
  velocity: EMPTY_VELOCITY,
  list: LIST,
} satisfies Evidence;

const stripEmail = compileStrip<Evidence['email']>(EVIDENCE_SAMPLE.email);
const stripIp = compileStrip<NonNullable<Evidence['ip']>>(EVIDENCE_SAMPLE.ip);
const stripVelocity = compileStrip<Evidence['velocity']>(EVIDENCE_SAMPLE.velocity);

/** Makes the text a third shorter. A new fact needs no line here. */
export function stripDefaults({ snapshot, email, ip, velocity, list }: Evidence): StoredEvidence {
  return {
    snapshot,
    email: stripEmail(email),
    ip: ip === null ? undefined : stripIp(ip),
    velocity: stripVelocity(velocity),
    list: list ?? undefined,
  };
}

export function fillDefaults({ snapshot = '', email, ip, velocity, list }: StoredEvidence): Evidence {
  return {
    snapshot,
    email: { ...EMPTY_EMAIL, ...email } as Evidence['email'],
    ip: ip == null ? null : ({ ...EMPTY_IP, ...ip } as Evidence['ip']),
    velocity: { ...EMPTY_VELOCITY, ...velocity } as Evidence['velocity'],
    list: list ?? null,
  };
}

/**
 * One literal, compiled once from the names of the facts, as the serializer is: a loop over them takes 1 µs more for every
 * assessment, which is as much as writing the whole record.
 */
function compileStrip<Facts extends object>(sample: Facts): (facts: Facts) => Sparse<Facts> {
  const members = Object.entries(sample).map(
    ([fact, empty]) => `${fact}: ${isEmpty(`facts.${fact}`, empty)} ? undefined : facts.${fact}`,
  );
  return new Function('facts', `return { ${members.join(', ')} }`) as (facts: Facts) => Sparse<Facts>;
}

/** Code that checks whether the value at `path` is empty. */
function isEmpty(path: string, empty: unknown): string {
  if (Array.isArray(empty)) return `${path}.length === 0`;
  if (typeof empty === 'boolean') return `${path} !== ${!empty}`;
  if (typeof empty !== 'object' || empty === null) return `${path} === ${JSON.stringify(empty)}`;
  return Object.entries(empty)
    .map(([member, value]) => isEmpty(`${path}.${member}`, value))
    .join(' && ');
}
