/** Decides which column of an export is the address, the IP, the time and the verdict: as named, or by the usual names. */
import { InvalidArgumentError } from 'commander';
import type { ChooseColumns, SignupColumns } from './signup-parser.ts';

type Part = keyof SignupColumns;
export type NamedColumns = Partial<Record<Part, string>>;

const PARTS = ['email', 'ip', 'time', 'verdict'] as const satisfies readonly Part[];

/** Names as exports have them, in lower case and with `_` between words; the first that is there counts. */
const USUAL_NAMES: Readonly<Record<Part, readonly string[]>> = {
  email: ['email', 'email_address', 'e_mail', 'user_email', 'mail', 'address'],
  ip: ['ip', 'ip_address', 'ipaddress', 'client_ip', 'remote_ip', 'user_ip', 'remote_addr'],
  time: ['time', 'timestamp', 'created_at', 'signup_at', 'signed_up_at', 'date', 'datetime', 'created', 'at'],
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

/** `email=Mail,ip=Client IP`; may be repeated. */
export function parseColumns(text: string, before: NamedColumns = {}): NamedColumns {
  const named: NamedColumns = { ...before };
  for (const pair of text.split(',')) {
    const [part = '', name = ''] = splitAtEqualsSign(pair);
    if (!isPart(part) || name === '') {
      throw new InvalidArgumentError(
        `It must be like email=…,ip=…,time=…,verdict=…: “${pair.trim()}” is not.`,
      );
    }
    named[part] = name;
  }
  return named;
}

export function splitAtEqualsSign(text: string): string[] {
  const at = text.lastIndexOf('=');
  return at < 0 ? [text.trim()] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** `chosen` is `null` until the first line of the export was read. */
export function createChosenColumns(named: NamedColumns): {
  readonly choose: ChooseColumns;
  chosen(): SignupColumns | null;
} {
  const choose = createChooseColumns(named);
  let last: SignupColumns | null = null;
  return {
    choose(names) {
      last = choose(names);
      return last;
    },
    chosen: () => last,
  };
}

/** Only the address and the verdict are needed. */
export function createChooseColumns(named: NamedColumns): ChooseColumns {
  return (names) => {
    const find = (part: Part) => findColumn(part, named[part], names);
    const required = (part: Part) => {
      const name = find(part);
      if (name !== undefined) return name;
      throw new Error(
        `no column for the ${part} was found in “${names.join(', ')}”: name it with --columns ${part}=NAME`,
      );
    };
    return {
      email: required('email'),
      ip: find('ip') ?? null,
      time: find('time') ?? null,
      verdict: required('verdict'),
    };
  };
}

/** @throws when a column was named and is not there */
function findColumn(part: Part, named: string | undefined, names: readonly string[]): string | undefined {
  if (named === undefined) {
    const usual = USUAL_NAMES[part].find((candidate) => names.some((name) => canonical(name) === candidate));
    return names.find((name) => canonical(name) === usual);
  }
  const found =
    names.find((name) => name === named) ?? names.find((name) => canonical(name) === canonical(named));
  if (found !== undefined) return found;
  throw new Error(`there is no column “${named}” (--columns ${part}); there are “${names.join(', ')}”`);
}

function canonical(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, '_');
}

function isPart(text: string): text is Part {
  return (PARTS as readonly string[]).includes(text);
}
