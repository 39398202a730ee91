/** Decides the form of the file with the signups that policies are tested with: a generated month of everyday people, waves and innocent crowds. Nobody in it is real. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** The file beside the built code; the sources find it there, too. */
export const MONTH_FILE: URL = new URL('../../../dist/operate/policy-test/month.br', import.meta.url);

/** A wave, a crowd or a kind of everyday people. */
export interface MonthGroup {
  readonly kind: 'everyday' | 'wave' | 'crowd';
  readonly name: string;
  /** Place of the signup from which on a wave must be known; 1 for the others. */
  readonly knownFrom: number;
  /** Share of a wave that must be stopped from there on; `null` where it need not be. */
  readonly floor: number | null;
  /** Whether people of a crowd may be challenged, never blocked: nothing is known of their domain. */
  readonly mayBeChallenged: boolean;
}

export interface MonthSignup {
  readonly email: string;
  readonly ip: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Place of its group in `groups`. */
  readonly group: number;
}

export interface Month {
  readonly groups: readonly MonthGroup[];
  /** Signups in order of time. */
  readonly signups: readonly MonthSignup[];
}

interface Header {
  readonly groups: readonly MonthGroup[];
  readonly from: number;
}

const MAGIC = 'gatehouse month 1';
const QUALITY = 10;

/** Times are kept in whole seconds. Columns compress better than rows. */
export function writeMonth({ groups, signups }: Month): Uint8Array {
  const from = Math.floor((signups[0]?.at ?? 0) / 1000);
  const header: Header = { groups, from };
  let last = from;
  const seconds = signups.map(({ at }) => {
    const second = Math.floor(at / 1000);
    const step = second - last;
    last = second;
    return step;
  });
  const columns = [
    signups.map(({ email }) => email),
    signups.map(({ ip }) => ip),
    seconds,
    signups.map(({ group }) => group),
  ];
  const text = [MAGIC, JSON.stringify(header), ...columns.map((column) => column.join(' '))].join('\n');
  return brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
    },
  });
}

/** @throws if the file is missing or has another form */
export function readMonth(file: string | URL = MONTH_FILE): Month {
  const text = brotliDecompressSync(readFileSync(file)).toString();
  const [magic, header = '', ...columns] = text.split('\n');
  if (magic !== MAGIC) throw new Error('the month of signups has another form: run `npm run build`');
  const { groups, from } = JSON.parse(header) as Header;
  const [emails = [], ips = [], seconds = [], places = []] = columns.map((column) => column.split(' '));
  let second = from;
  const signups = emails.map((email, at) => {
    second += Number(seconds[at]);
    return { email, ip: ips[at] as string, at: second * 1000, group: Number(places[at]) };
  });
  return { groups, signups };
}
