/** Decides whether a text is the URL of a PostgreSQL database, also in the forms for a Unix socket; says which character of a password must be encoded. */

const SCHEME = /^postgres(?:ql)?:\/\//i;
/** `user:password@/name?host=/folder`: libpq takes it, a URL has no host to put the user before. */
const NO_HOST = /^([^:]+:\/\/[^@/?#]*@)(?=\/)/;
/** Each would end a user or a password, or is not allowed there, unless it is written as %XX. */
const RESERVED = /[/?#[\]\\ ]/g;
const HOST_AND_NAME = /^(?:[^/?#@:]*|\[[^\]]*\])(?::\d+)?\/[^/?#]/;
/** A per cent sign that begins no %XX. */
const BARE_PERCENT = /%(?![\da-f]{2})/i;

const FORM =
  'must be a URL like postgres://user:password@host/database, or postgres:///database?host=/folder/of/the/socket';

/** Returns the text. @throws what is wrong, with nothing of the password but the characters to encode */
export function readDatabaseUrl(text: string): string {
  if (!SCHEME.test(text)) throw new Error(FORM);
  const credentials = credentialsOf(text);
  const wrong = unencodedIn(credentials);
  if (wrong.length > 0) {
    const pairs = wrong.map((character) => `\`${character}\` as ${encode(character)}`).join(', ');
    throw new Error(`has reserved characters in the user or password: percent-encode them, ${pairs}`);
  }
  if (!URL.canParse(text.replace(NO_HOST, '$1host'))) throw new Error(FORM);
  if (!canDecode(credentials))
    throw new Error('has a %XX in the user or password that is no UTF-8: `ü`, for example, is %C3%BC');
  return text;
}

/**
 * User and password as a person means them: a URL ends them at the first `/`, `?` or `#`. An `@` in the name or in an
 * option has no host and name behind it.
 */
function credentialsOf(text: string): string {
  const rest = text.replace(SCHEME, '');
  const at = rest.lastIndexOf('@');
  const isUrl = URL.canParse(text.replace(NO_HOST, '$1host'));
  if (at > 0 && !rest.startsWith('/') && (!isUrl || HOST_AND_NAME.test(rest.slice(at + 1))))
    return rest.slice(0, at);
  return /^([^/?#]*)@/.exec(rest)?.[1] ?? '';
}

function unencodedIn(credentials: string): string[] {
  const found = [...new Set(credentials.match(RESERVED) ?? [])];
  return BARE_PERCENT.test(credentials) ? [...found, '%'] : found;
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const encode = (character: string) =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
