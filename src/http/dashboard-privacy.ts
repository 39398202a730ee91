/** POST …/privacy/search, /export and /erase: an owner exports or erases the data of a person who asks for it. */
import type { FoundPerson, PersonCounts, PersonTexts } from '../contract/dashboard-privacy.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { HistoryStore } from '../store/history-store.ts';
import { requireIndexed } from './dashboard-history.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, SHORT_TEXT, TEXT, unusable } from './dashboard-values.ts';
import { createWorkPlaces } from './dashboard-work-places.ts';

export interface PrivacyService {
  /** Canonical; `undefined` where it is none. */
  readonly readEmail: (text: string) => string | undefined;
  readonly readIp: (text: string) => string | undefined;
  count(person: PersonTexts): Promise<FoundPerson>;
  export(person: PersonTexts): Promise<object>;
  /** Erases a person for good. @param audit makes entries of the audit log */
  erase(person: PersonTexts, audit: MakeAuditEntry): Promise<PersonCounts>;
}

export interface PrivacyRoutesOptions {
  readonly store: Pick<HistoryStore, 'indexing'>;
  readonly privacy: PrivacyService;
}

interface PersonBody {
  readonly email: string;
  readonly ip?: string;
  readonly session_id?: string;
}

const BODY = bodyOf({ email: SHORT_TEXT, ip: TEXT, session_id: TEXT }, ['email']);
const PLACES = { what: 'searches for a person', perAccount: 2, inAll: 4, retryAfterSeconds: 5 };

/** The texts are in bodies, so that no log of requests has them. */
export function privacyRoutes(routes: DashboardRoutes, { store, privacy }: PrivacyRoutesOptions): void {
  const places = createWorkPlaces(PLACES);

  function add(
    path: 'search' | 'export' | 'erase',
    work: (person: PersonTexts, call: AccountCall<PersonBody>) => Promise<object>,
  ): void {
    routes.forAccount<PersonBody>({
      method: 'POST',
      path: `/accounts/:account/privacy/${path}`,
      minRole: 'owner',
      body: BODY,
      async handle(call) {
        const person = readPerson(privacy, call.account.id, call.body);
        await requireIndexed(store);
        const leave = places.enter(call.account.id);
        try {
          return await work(person, call);
        } finally {
          leave();
        }
      },
    });
  }

  add('search', (person) => privacy.count(person));
  add('export', async (person, { audit }) => {
    const { assessments, list_entries: entries } = await privacy.count(person);
    await audit('privacy.export', 'a person', `${assessments} assessments, ${entries} list entries`);
    return privacy.export(person);
  });
  add('erase', (person, { auditEntry }) => privacy.erase(person, auditEntry));
}

function readPerson({ readEmail, readIp }: PrivacyService, account: string, body: PersonBody): PersonTexts {
  const email = readEmail(body.email);
  if (email === undefined)
    throw unusable('email', 'This is not an email address.', 'Send one address, such as jo@example.com.');
  const { ip: typed = '', session_id: session = '' } = body;
  const ip = typed.trim() === '' ? '' : readIp(typed.trim());
  if (ip === undefined)
    throw unusable('ip', 'This is not an IP address.', 'Send an IPv4 or IPv6 address, or leave it out.');
  return { account, email, ...(ip !== '' && { ip }), ...(session !== '' && { session }) };
}
