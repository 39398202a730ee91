/** Decides which column of an export is the address, the IP, the time and the verdict: as named, or by the usual names. */
import { InvalidArgumentError } from 'commander';
import type { ChooseColumns, SignupColumns } from './signup-parser.ts';

type Part = keyof SignupColumns;
export type NamedColumns = Partial<Record<Part, string>>;

/** Parts of a signup that another service judged, and of a user whom nobody judged. */
export const JUDGED_PARTS: readonly Part[] = ['email', 'ip', 'time', 'verdict'];
export const USER_PARTS: readonly Part[] = ['email', 'ip', 'time'];
/** Parts without which a row says nothing. */
const NEEDED: ReadonlySet<Part> = new Set(['email', 'verdict']);

/** Names as exports have them, in lower case and with `_` between words; the first that is there counts. */
const USUAL_NAMES: Readonly<Record<Part, readonly string[]>> = {
  email: [
    'email',
    'email_address',
    'e_mail',
    'user_email',
    'mail',
    'address',
    'e_mail_adresse',
    'email_adresse',
    'mailadresse',
    'adresse_e_mail',
    'adresse_email',
    'courriel',
    'correo_electrónico',
    'correo_electronico',
    'correo',
    'indirizzo_email',
  ],
  ip: [
    'ip',
    'ip_address',
    'ipaddress',
    'client_ip',
    'remote_ip',
    'user_ip',
    'remote_addr',
    'ip_adresse',
    'adresse_ip',
    'dirección_ip',
    'direccion_ip',
    'indirizzo_ip',
  ],
  time: [
    'time',
    'timestamp',
    'created_at',
    'signup_at',
    'signed_up_at',
    'registered_at',
    'date_joined',
    'user_registered',
    'date',
    'datetime',
    'created',
    'at',
  ],
  verdict: [
    'verdict',
    'decision',
    'action',
    'result',
    'recommendation',
    'status',
    'state',
    'outcome',
    'risk_score',
    'fraud_score',
    'score',
  ],
};

/** Reader of `email=Mail,ip=Client IP`, which may be repeated. */
export function createParseColumns(parts: readonly Part[]) {
  return (text: string, before: NamedColumns = {}): NamedColumns => {
    const named: NamedColumns = { ...before };
    for (const pair of text.split(',')) {
      const [name = '', column = ''] = splitAtEqualsSign(pair);
      const part = parts.find((known) => known === name);
      if (part === undefined || column === '') {
        const form = parts.map((known) => `${known}=…`).join(',');
        throw new InvalidArgumentError(`It must be like ${form}: “${pair.trim()}” is not.`);
      }
      named[part] = column;
    }
    return named;
  };
}

export function splitAtEqualsSign(text: string): string[] {
  const at = text.lastIndexOf('=');
  return at < 0 ? [text.trim()] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** `chosen` is `null` until the first line of the export was read. */
export function createChosenColumns(
  named: NamedColumns,
  parts: readonly Part[],
): {
  readonly choose: ChooseColumns;
  chosen(): SignupColumns | null;
} {
  const choose = createChooseColumns(named, parts);
  let last: SignupColumns | null = null;
  return {
    choose(names) {
      last = choose(names);
      return last;
    },
    chosen: () => last,
  };
}

/** Chooses the columns of `parts`; the others have none. */
export function createChooseColumns(named: NamedColumns, parts: readonly Part[]): ChooseColumns {
  return (names) => {
    const find = (part: Part) => {
      if (!parts.includes(part)) return null;
      const name = findColumn(part, named[part], names);
      if (name !== undefined || !NEEDED.has(part)) return name ?? null;
      throw new Error(noColumn(part, names));
    };
    return { email: find('email') as string, ip: find('ip'), time: find('time'), verdict: find('verdict') };
  };
}

function noColumn(part: Part, names: readonly string[]): string {
  const hint = names.some((name) => name.includes('@'))
    ? `write a first line that names the columns: email`
    : `name it with --columns ${part}=NAME`;
  return `no column for the ${part} was found in “${names.join(', ')}”: ${hint}`;
}

/** @throws when a column was named and is not there */
function findColumn(part: Part, named: string | undefined, names: readonly string[]): string | undefined {
  if (named === undefined) return findUsual(part, names);
  const found =
    names.find((name) => name === named) ?? names.find((name) => canonical(name) === canonical(named));
  if (found !== undefined) return found;
  throw new Error(`there is no column “${named}” (--columns ${part}); there are “${names.join(', ')}”`);
}

function findUsual(part: Part, names: readonly string[]): string | undefined {
  const usual = USUAL_NAMES[part].find((candidate) => names.some((name) => canonical(name) === candidate));
  if (usual !== undefined) return names.find((name) => canonical(name) === usual);
  // Verdicts have names that anything within a record may have, such as `status`.
  if (part === 'verdict') return undefined;
  const inner = names.filter((name) => USUAL_NAMES[part].includes(canonical(name.split('.').at(-1) ?? '')));
  return inner.length === 1 ? inner[0] : undefined;
}

/** `createdAt` and `Created At` are `created_at`. */
function canonical(name: string): string {
  return name
    .trim()
    .normalize('NFC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, '_');
}
