/** Decides what a place of an attack is, an IP, a range or a domain, and who is in it. */
import { readBlockRange } from '../address/block.ts';
import { createIsWithin } from '../store/history-search.ts';

export interface AttackPlace {
  readonly kind: 'ip' | 'cidr' | 'domain';
  /** Value of a list entry. */
  readonly value: string;
  /** Signups of the attack that are in it. */
  readonly attackers: number;
  /** First and last address; `null`: of a domain. */
  readonly block: { readonly first: string; readonly last: string } | null;
}

/** A signup of the attack, as places know it. */
export interface Attacker {
  readonly ip: string | null;
  readonly domain: string;
}

/** Signups of an account with one value of a property; `null`: without one. */
export interface ValueTotal {
  readonly value: string | null;
  readonly count: number;
}

export function placeOf(kind: AttackPlace['kind'], value: string, attackers: number): AttackPlace {
  return { kind, value, attackers, block: kind === 'domain' ? null : (readBlockRange(value) ?? null) };
}

/** @returns a function that decides whether a signup is in the place */
export function createIsIn({ block, value }: AttackPlace): (attacker: Attacker) => boolean {
  if (block === null) return ({ domain }) => domain === value || domain.endsWith(`.${value}`);
  const contains = createIsWithin(block);
  return ({ ip }) => ip !== null && contains(ip);
}
