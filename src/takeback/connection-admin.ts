/** Creates, changes, tries and removes connections to providers: their secrets are stored encrypted and shown to nobody. */
import { isIP } from 'node:net';
import type { SecretBox } from '../accounts/secret-box.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { ProviderKind } from '../model/account-provider.ts';
import type { ProviderConnection } from '../model/take-back.ts';
import { hostOf, isInsideName, isPublicAddress } from '../outbound/public-address.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { ConnectionChanges, ProviderConnectionStore } from '../store/take-back-store.ts';
import { type AccountProvider, ProviderBusy, type ProviderSettings } from './provider.ts';
import { settingsOf, UNREADABLE_SECRET } from './settings-of.ts';

export interface NewConnection extends Pick<ProviderConnection, 'accountId' | 'kind'>, ConnectionEdit {}

/** Settings as a person writes them. */
export interface ConnectionEdit
  extends Pick<ProviderConnection, 'name' | 'url' | 'clientId' | 'realm' | 'perSecond' | 'isSessionUser'> {
  readonly secret: string;
}

export interface ConnectionAdmin {
  /** @throws InvalidConnection */
  create(connection: NewConnection, now: number, audit: MakeAuditEntry): Promise<ProviderConnection>;
  /** @throws InvalidConnection */
  change(
    connection: ProviderConnection,
    edit: Partial<ConnectionEdit>,
    audit: MakeAuditEntry,
  ): Promise<ProviderConnection>;
  /** @returns whether it was removed: not while one of its jobs runs */
  remove(connection: ProviderConnection, audit: MakeAuditEntry): Promise<boolean>;
  /** Asks the provider for something harmless. @returns one line on what is wrong; `null`: nothing */
  check(connection: ProviderConnection): Promise<string | null>;
}

export interface ConnectionAdminOptions {
  readonly store: ProviderConnectionStore;
  readonly box: SecretBox;
  readonly makeId: MakeId;
  readonly providerOf: (settings: ProviderSettings) => AccountProvider;
  readonly allowsPrivate: boolean;
}

/** Settings that cannot be. */
export class InvalidConnection extends Error {
  readonly param: string;
  constructor(param: string, message: string) {
    super(message);
    this.param = param;
  }
}

const MAX_CONNECTIONS = 20;
const MAX_URL_LENGTH = 500;
const MAX_SECRET_LENGTH = 4_000;
const CHECK_MS = 15_000;
/** Provider → the settings that it needs besides URL and secret. */
const NEEDS: Readonly<Record<ProviderKind, readonly ('clientId' | 'realm')[]>> = {
  'better-auth': [],
  kratos: [],
  supabase: [],
  auth0: ['clientId'],
  keycloak: ['clientId', 'realm'],
};
const PARAMS = { clientId: 'client_id', realm: 'realm' } as const;

export function createConnectionAdmin(options: ConnectionAdminOptions): ConnectionAdmin {
  const { store, box, makeId, providerOf } = options;
  return {
    async create({ accountId, kind, ...edit }, now, audit) {
      if ((await store.connections(accountId)).length >= MAX_CONNECTIONS)
        throw new InvalidConnection('name', `an account has at most ${MAX_CONNECTIONS} connections`);
      const id = makeId('con', now);
      const settings = readSettings(kind, edit, options);
      const secret = box.encrypt(readSecret(kind, edit.secret), id);
      const connection = { ...edit, ...settings, id, accountId, kind, secret, createdAt: now };
      const entry = audit('connection.create', describe(connection), connection.url);
      await store.saveConnection(connection, entry);
      return connection;
    },
    async change(connection, { secret, ...edit }, audit) {
      const { accountId, id, kind } = connection;
      const wanted = { ...connection, ...edit };
      const settings = { ...edit, ...readSettings(kind, wanted, options) };
      // Otherwise its secret could be sent to somebody else's server.
      if (settings.url !== connection.url && secret === undefined)
        throw new InvalidConnection('secret', 'another URL needs the secret again');
      const encrypted = secret === undefined ? {} : { secret: box.encrypt(readSecret(kind, secret), id) };
      const entry = audit('connection.change', describe(connection), wordsOf(connection, settings, secret));
      return (
        (await store.changeConnection(accountId, id, { ...settings, ...encrypted }, entry)) ?? connection
      );
    },
    remove(connection, audit) {
      const { accountId, id } = connection;
      return store.removeConnection(accountId, id, audit('connection.remove', describe(connection), ''));
    },
    async check(connection) {
      const settings = settingsOf(connection, box);
      if (settings === undefined) return UNREADABLE_SECRET;
      try {
        await providerOf(settings).check(AbortSignal.timeout(CHECK_MS));
        return null;
      } catch (error) {
        if (error instanceof ProviderBusy) return 'It answers, and asks for a pause: try again later.';
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}

function describe({ kind, name }: Pick<ProviderConnection, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

/** @throws InvalidConnection */
function readSettings(
  kind: ProviderKind,
  { url, clientId, realm }: Pick<ConnectionEdit, 'url' | 'clientId' | 'realm'>,
  options: Pick<ConnectionAdminOptions, 'allowsPrivate'>,
): Pick<ProviderConnection, 'url' | 'clientId' | 'realm'> {
  const settings = { clientId, realm };
  const needs = NEEDS[kind];
  for (const name of needs)
    if (settings[name] === null || settings[name] === '')
      throw new InvalidConnection(PARAMS[name], `this provider needs ${PARAMS[name].replace('_', ' ')}`);
  const kept = (name: 'clientId' | 'realm') => (needs.includes(name) ? settings[name] : null);
  return { url: readUrl(url, options), clientId: kept('clientId'), realm: kept('realm') };
}

/** @throws InvalidConnection; what its name leads to is checked with each request */
function readUrl(text: string, { allowsPrivate }: Pick<ConnectionAdminOptions, 'allowsPrivate'>): string {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) && trimmed.length <= MAX_URL_LENGTH ? new URL(trimmed) : undefined;
  const schemes = allowsPrivate ? ['https:', 'http:'] : ['https:'];
  if (url === undefined || !schemes.includes(url.protocol))
    throw new InvalidConnection(
      'url',
      `the URL must begin with ${allowsPrivate ? 'http:// or ' : ''}https://`,
    );
  if (url.username !== '' || url.password !== '' || url.hash !== '' || url.search !== '')
    throw new InvalidConnection('url', 'the URL may have no user name, password, query or fragment');
  const host = hostOf(url);
  const isPublic = isIP(host) === 0 ? !isInsideName(host) : isPublicAddress(host);
  if (!allowsPrivate && !isPublic)
    throw new InvalidConnection(
      'url',
      'the URL must lead to a public server, unless the operator sets GATEHOUSE_WEBHOOKS_PRIVATE=on',
    );
  return url.href.replace(/\/+$/, '');
}

/** @throws InvalidConnection */
function readSecret(kind: ProviderKind, secret: string): string {
  const trimmed = secret.trim();
  // Its admin port asks for none.
  if (trimmed === '' && kind === 'kratos') return trimmed;
  if (/^[\x21-\x7e]+$/.test(trimmed) && trimmed.length <= MAX_SECRET_LENGTH) return trimmed;
  throw new InvalidConnection('secret', 'the secret must be one line of visible ASCII characters');
}

function wordsOf(old: ProviderConnection, changed: ConnectionChanges, secret: string | undefined): string {
  const named: Readonly<Record<string, keyof ConnectionChanges>> = {
    name: 'name',
    URL: 'url',
    'client id': 'clientId',
    realm: 'realm',
    'accounts a second': 'perSecond',
    'session is the user id': 'isSessionUser',
  };
  const words = Object.entries(named)
    .filter(([, member]) => changed[member] !== undefined && changed[member] !== old[member])
    .map(([word, member]) => `${word} ${old[member]} → ${changed[member]}`);
  return [...words, ...(secret === undefined ? [] : ['new secret'])].join(', ');
}
