/** Makes a call to any route with given ids: in the path, in the query, and in a body that fits the route's schema. */
import { PASSWORD } from './browser.ts';
import type { BodySchema, RegisteredRoute } from './registered-routes.ts';
import type { IdKind, Ids } from './three-tenants.ts';

const PARAMETER = /:(\w+)\??/g;
/** The kind of `:id` follows from the path before it. Feeds belong to no account. */
const KIND_OF_ID: Readonly<Record<string, IdKind | 'feed'>> = {
  lists: 'list',
  invitations: 'invitation',
  sessions: 'session',
  tokens: 'manage_token',
  filters: 'filter',
  intelligence: 'feed',
};
const PLAIN_KINDS: readonly string[] = [
  'account',
  'request_id',
  'key',
  'hook',
  'user',
  'entry',
  'campaign',
  'attack',
  'destination',
  'event',
  'connection',
  'job',
];
/** Parameters of which the management API has another one. */
const TWICE: readonly string[] = ['destination', 'event'];
/** Body members that name something that only one account has. */
const BODY_KINDS: Readonly<Record<string, IdKind>> = {
  account_id: 'account',
  user_id: 'user',
  request_id: 'request_id',
  key_id: 'key',
  key: 'key',
  token: 'token',
  connection_id: 'connection',
};
/** Routes where an address names the person who signs in, not an invited person. */
const SIGN_IN = /^\/dashboard\/auth\//;
/** Routes where the token is the one that takes a change back. */
const UNDO = /\/undo$/;
/** On these routes, these members are the caller's own: the assessed signup, the secret of a new hook. */
const OWN_MEMBERS = /^\/(?:v1\/assess$|dashboard\/api\/accounts\/:account\/hooks)/;

/** Routes that name the account in the query. */
const PEOPLE = '/dashboard/api/operator/people';

const TAKE_BACKS = '/v1/manage/accounts/:account/takebacks';
/** Members that the handler needs although the schema does not require them. */
const WANTED: Readonly<Record<string, readonly string[]>> = {
  '/v1/outcomes': ['outcome'],
  [TAKE_BACKS]: ['request_ids'],
  [`${TAKE_BACKS}/preview`]: ['request_ids'],
};

/** Values that each handler accepts. */
const USABLE: Readonly<Record<string, unknown>> = {
  action: 'deny',
  challenge_as: 'allow',
  code: '123456',
  currentPassword: PASSWORD,
  email: 'new@example.com',
  expires_in_days: 1,
  host: 'mx.example.com',
  mode: 'live',
  name: 'a name',
  newPassword: `${PASSWORD} too`,
  on_error: 'allow',
  outcome: 'false_positive',
  password: 'not the password',
  period: '7d',
  plan: 'pro',
  provider: 'supabase',
  reason: 'a reason',
  request_ids: ['req_01m8p30pj5c4v966ksmsqfrfq4'],
  role: 'member',
  scopes: ['keys:read'],
  secret: 'another secret text',
  thresholds: { challenge: 30, block: 60 },
  value: 'some.example',
  weights: {},
};

/** Things that the route's ids name, `account` first; `undefined` for a parameter that this file does not know. */
export function idKindsOf({ path, body }: RegisteredRoute): (IdKind | 'feed' | undefined)[] {
  const inPath = [...path.matchAll(PARAMETER)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'provider')
    .map((name) => kindOf(path, name));
  const inBody = Object.keys(body?.properties ?? {}).flatMap((name) => bodyKindOf(path, name) ?? []);
  const inQuery = path === PEOPLE ? (['account'] as const) : [];
  return [...new Set([...inPath, ...inBody, ...inQuery])].sort((first) => (first === 'account' ? -1 : 1));
}

function kindOf(path: string, name: string): IdKind | 'feed' | undefined {
  // Both APIs remove one.
  if (TWICE.includes(name) && path.startsWith('/v1/')) return `manage_${name}` as IdKind;
  if (PLAIN_KINDS.includes(name)) return name as IdKind;
  if (name !== 'id') return undefined;
  return KIND_OF_ID[/\/(\w+)\/:id/.exec(path)?.[1] ?? ''];
}

function bodyKindOf(path: string, name: string): IdKind | undefined {
  if (name === 'email' && SIGN_IN.test(path)) return 'email';
  if (name === 'token' && UNDO.test(path)) return 'undo';
  return OWN_MEMBERS.test(path) ? undefined : BODY_KINDS[name];
}

export interface PreparedCall {
  readonly method: string;
  readonly target: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** `text`: the value for members that may be any text; default: values that the handler accepts. */
export function callWith({ method, path, body }: RegisteredRoute, ids: Ids, text?: string): PreparedCall {
  const target = path.replace(PARAMETER, (_, name: string) => {
    const kind = name === 'provider' ? name : kindOf(path, name);
    return kind === 'provider' ? 'supabase' : (ids[kind as IdKind] ?? `${kind}-none`);
  });
  const query = `?account=${ids.account}&key=${ids.key}&user=${ids.user}&q=example`;
  if (method === 'GET')
    return { method, target: path.startsWith('/v1/') ? target : target + query, body: undefined };
  const names = Object.keys(body?.properties ?? {});
  const values = names.flatMap((name) => {
    const kind = bodyKindOf(path, name);
    const schema = body?.properties?.[name] ?? {};
    if (kind !== undefined) return [[name, ids[kind]]];
    const isRequired = body?.required?.includes(name) === true || name === 'name';
    const isWanted = isRequired || WANTED[path]?.includes(name) === true;
    return isWanted ? [[name, usableOf(name, schema, text)]] : [];
  });
  return { method, target, body: Object.fromEntries(values) };
}

function usableOf(name: string, schema: BodySchema, text: string | undefined): unknown {
  if (text !== undefined && schema.type === 'string') return text;
  const usable = USABLE[name];
  const isAllowed = schema.enum === undefined || schema.enum.includes(usable as never);
  if (name in USABLE && isAllowed) return usable;
  const byType = { boolean: false, object: {}, array: [] }[schema.type as string];
  return schema.enum?.[0] ?? byType ?? 'text';
}

/** Ids in the same form that do not exist. */
export function unknownIds(ids: Ids): Ids {
  const changed = Object.entries(ids).map(([kind, id]) => [
    kind,
    kind === 'email'
      ? id.replace(/^\w+/, 'nobody')
      : id.slice(0, -4) + id.slice(-4).replace(/\w/g, otherLetter),
  ]);
  return Object.fromEntries(changed);
}

/** Replaces characters by others of the same kind, in every alphabet of ids. */
function otherLetter(letter: string): string {
  if (/\d/.test(letter)) return String((Number(letter) + 3) % 10);
  const other = /[a-e]/i.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 1) : 'a';
  return /[a-z]/.test(letter) ? other.toLowerCase() : other.toUpperCase();
}
