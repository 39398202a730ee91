/** Reads evidence as older versions stored it: without the values that are the same as in the model's empty evidence. */
import { EMPTY_EMAIL, EMPTY_IP, EMPTY_VELOCITY, type Evidence } from '../model/evidence.ts';

type Sparse<Facts> = { readonly [Fact in keyof Facts]?: Facts[Fact] | undefined };

/** As it is stored. Older records lack the facts that are newer than they are. */
export interface StoredEvidence {
  readonly snapshot?: string;
  readonly email?: Sparse<Evidence['email']>;
  readonly ip?: Sparse<NonNullable<Evidence['ip']>> | null | undefined;
  readonly velocity?: Sparse<Evidence['velocity']>;
  readonly list?: Evidence['list'] | undefined;
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
