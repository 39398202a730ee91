/** Crowds of innocent people, and farms that look like them: nobody innocent is blocked, and farms are still noticed. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

interface CrowdRow {
  readonly name: string;
  readonly isInnocent: boolean;
  readonly signups: number;
  readonly challenged: number;
  readonly blocked: number;
  /** Number of the first that was challenged or blocked; 0 where none was. */
  readonly first: number;
}

const ROOT = resolve(import.meta.dirname, '..');
const { stdout } = await promisify(execFile)(process.execPath, ['bench/crowds.mjs', '--json'], { cwd: ROOT });
const rows = JSON.parse(stdout) as CrowdRow[];
const innocent = rows.filter(({ isInnocent }) => isInnocent);
const attacks = rows.filter(({ isInnocent }) => !isInnocent);

/** Everybody comes in. */
const UNTOUCHED = [
  'firm of 16 from its office',
  'firm of 80 from its office, two hours',
  'school of 200 from its network, an hour',
  'school of 200 from their homes, an hour',
  'freshmen: 300 student numbers at a .edu, from the campus, three hours',
  'firm of 80 from their homes, two hours, old domain',
  'SCIM: 50 from one server',
  'invitations: 50 from an office',
  'carrier: 60 in an hour behind one address',
  'server-side signup: 200 from one cloud address, new key',
  'one person, 20 attempts',
  'one person, 100 attempts with free mail',
  'nine tagged spellings from one network, then the owner',
  'forty made-up addresses from one network, then the staff',
];

describe('a crowd', () => {
  it.each(innocent)('of innocent people is never blocked: $name', ({ blocked }) => {
    expect(blocked).toBe(0);
  });

  it.each(UNTOUCHED)('of innocent people comes in: %s', (name) => {
    expect(innocent.find((row) => row.name === name)).toMatchObject({ challenged: 0, blocked: 0 });
  });

  it('from one address is not challenged before some twenty people came', () => {
    for (const { first } of innocent.filter(({ name }) => /office|campus|hackathon|business line/.test(name)))
      expect(first === 0 || first >= 18).toBe(true);
  });
});

describe('an attack', () => {
  it.each(attacks)('is challenged or blocked from some twenty signups on: $name', (row) => {
    expect(row.first).toBeGreaterThan(0);
    expect(row.first).toBeLessThanOrEqual(20);
    expect(row.challenged + row.blocked).toBeGreaterThanOrEqual(row.signups - 20);
  });
});
