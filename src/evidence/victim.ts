/** Decides whether an address is of a kind that list bombers enter in other people's forms. */
import type { Victim } from '../model/evidence.ts';
import type { EmailAddress } from '../model/signup-attempt.ts';

/** Mailboxes of RFC 2142 for networks, and usual names of security teams. Not webmaster, news and www, with which small firms sign up. */
const DESKS = new Set([
  'abuse',
  'noc',
  'security',
  'postmaster',
  'hostmaster',
  'usenet',
  'uucp',
  'mailer-daemon',
  'cert',
  'csirt',
  'psirt',
  'soc',
  'peering',
]);
/** Providers that ignore dots. */
const DOTTED = ['gmail.com', 'googlemail.com'];
const MIN_PIECES = 4;
const MIN_SHORT = 2;
const MAX_SHORT_LETTERS = 2;
/** Short words of surnames: `maria.de.la.cruz`. */
const PARTICLES = new Set(['al', 'da', 'de', 'di', 'do', 'du', 'el', 'la', 'le', 'te']);

/** The tag is not looked at. */
export function victimOf(
  { local, domain }: Pick<EmailAddress, 'local' | 'domain'>,
  isGateway: boolean,
): Victim {
  if (isGateway) return 'gateway';
  const tag = local.indexOf('+');
  const name = tag < 0 ? local : local.slice(0, tag);
  if (DESKS.has(name)) return 'desk';
  return DOTTED.includes(domain) && isOverDotted(name) ? 'dots' : '';
}

/** `j.an.e.doe`: people have initials, but not several and a name that is in pieces, too. */
function isOverDotted(name: string): boolean {
  let dots = 0;
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) dots += 1;
  if (dots < MIN_PIECES - 1) return false;
  const isShort = (piece: string) => piece.length <= MAX_SHORT_LETTERS && !PARTICLES.has(piece);
  return name.split('.').filter(isShort).length >= MIN_SHORT;
}
