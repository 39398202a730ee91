/** POST …/assessments/{request_id}/customer and …/address: a real customer is reported and let in with one call, by an address that is the signup's. */
import { nameUser } from '../accounts/audit-log.ts';
import { createListAdmin, type ListAdmin, type ReadEntry } from '../accounts/list-admin.ts';
import type { AddressMatch, CustomerHelped } from '../contract/dashboard-customer.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { ListEntry } from '../model/list-entry.ts';
import type { AppealStore } from '../store/appeal-store.ts';
import type { ClosedReports } from '../store/attack-action-store.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { StoredFeedback, WholeAssessment } from '../store/history-store.ts';
import type { MistakeStore } from '../store/mistake-store.ts';
import type { CountAddress } from './dashboard-address-limit.ts';
import type { EmailHashes } from './dashboard-find.ts';
import { type AssessmentFinder, createFindAssessment } from './dashboard-find-assessment.ts';
import type { FindReaders } from './dashboard-find-text.ts';
import { type GiveFeedback, reporterOf, requireReport } from './dashboard-give-feedback.ts';
import { toMark } from './dashboard-history.ts';
import { toEntry } from './dashboard-lists.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import type { SavedEntry, UndoTokens } from './dashboard-undo.ts';
import { bodyOf, FLAG, lineOf, SHORT_TEXT, TEXT, unusable } from './dashboard-values.ts';
import type { ReadListValue } from './list-values.ts';

export interface CustomerRoutesOptions {
  readonly store: AssessmentFinder &
    Parameters<typeof createListAdmin>[0]['store'] &
    Pick<AuditStore, 'auditEntries'> &
    Pick<MistakeStore, 'closeReports'> &
    Pick<AppealStore, 'findAppeal' | 'closeAppeals'>;
  readonly makeId: MakeId;
  readonly readers: Pick<FindReaders, 'email'>;
  readonly hashesOf: (address: string) => EmailHashes;
  readonly countAddress: CountAddress;
  readonly readListValue: ReadListValue;
  readonly giveFeedback: GiveFeedback;
  readonly undo: UndoTokens;
}

interface CustomerBody {
  /** Whether to report that a good customer was stopped. */
  readonly report: boolean;
  /** Address to let in; absent: none. */
  readonly address?: string;
  /** Lets the mailbox of the signup in, whatever its address is, for a colleague who knows the person. */
  readonly mailbox?: boolean;
  /** Days until that ends; 0: never. Default: 30. */
  readonly days?: number;
  readonly reason?: string;
}

const PATH = '/accounts/:account/assessments/:request_id';
const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;
const DAYS = { type: 'integer', minimum: 0, maximum: 3_650 };
const REASON = 'Real customer';

export function customerRoutes(routes: DashboardRoutes, options: CustomerRoutesOptions): void {
  const { store, readers, hashesOf, countAddress, readListValue, giveFeedback, undo } = options;
  const admin = createListAdmin(options);
  const find = createFindAssessment(store);

  routes.forAccount<{ readonly address: string }>({
    method: 'POST',
    path: `${PATH}/address`,
    minRole: 'member',
    body: bodyOf({ address: SHORT_TEXT }),
    async handle(call): Promise<AddressMatch> {
      return { match: matchOf(call.body.address, await find(call.account, call.params.request_id), call) };
    },
  });

  routes.forAccount<CustomerBody>({
    method: 'POST',
    path: `${PATH}/customer`,
    minRole: 'analyst',
    body: bodyOf({ report: FLAG, mailbox: FLAG, address: SHORT_TEXT, days: DAYS, reason: TEXT }, ['report']),
    async handle(call): Promise<CustomerHelped> {
      const { account, params, body, query, user, now } = call;
      const whole = await find(account, params.request_id);
      const { address } = body;
      await requireReport(query.version, whole, { store, accountId: account.id });
      const reason = lineOf('reason', body.reason ?? REASON);
      if (address !== undefined && matchOf(address, whole, call) === 'none') throw notTheAddress();
      const change = body.report ? await giveFeedback(call, whole, 'false_positive', null) : null;
      const read = address === undefined ? readMailbox(body, whole) : readAddress(address, readListValue);
      const saved = read === null ? null : await allow(admin, read, { ...call, body: { ...body, reason } });
      const report = change?.mark ?? whole.feedback;
      const closed = saved === null ? undefined : await closeAsked(store, call, whole, { report, reason });
      return {
        feedback: change === null ? null : toMark(change.mark),
        entry: saved === null ? null : toEntry(saved.entry),
        undo: undo.make(
          {
            accountId: account.id,
            userId: user.id,
            reports: change === null ? [] : [change],
            saved: saved === null ? [] : [saved],
            ...(closed !== undefined && { closed }),
          },
          now,
        ),
      };
    },
  });

  /** Compares an address that somebody types with the keyed hashes of a stored signup, which may be of an earlier key. */
  function matchOf(
    text: string,
    { stored }: WholeAssessment,
    call: Parameters<CountAddress>[0],
  ): AddressMatch['match'] {
    const email = readers.email(text.trim());
    if (email === undefined) return 'none';
    countAddress(call);
    const { address, mailbox } = hashesOf(email.address);
    if (address.includes(stored.addressHash)) return 'same';
    return mailbox.includes(stored.mailboxHash) ? 'mailbox' : 'none';
  }
}

/** Closes what asked for it: an appeal, and a report. @returns the reports that are left once this is taken back */
async function closeAsked(
  store: CustomerRoutesOptions['store'],
  { account, user, now, auditEntry }: AccountCall<CustomerBody>,
  { row, feedback }: WholeAssessment,
  { report, reason }: { readonly report: StoredFeedback | null; readonly reason: string },
): Promise<ClosedReports | undefined> {
  const { requestId } = row;
  const closing = { at: now, by: reporterOf(user) };
  const entry = auditEntry('feedback.close', requestId, reason);
  const appeal = await store.findAppeal(account.id, requestId, now);
  const appeals = appeal === undefined ? [] : [{ requestId, at: appeal.at }];
  const isAppealClosed = (await store.closeAppeals(account.id, appeals, closing, entry)).length > 0;
  if (report?.outcome === 'false_positive') {
    const entries = isAppealClosed ? [] : [entry];
    await store.closeReports(account.id, [{ requestId, at: report.at }], closing, ...entries);
  } else if (!isAppealClosed) return undefined;
  return { at: now, reports: [{ requestId, at: feedback?.at ?? report?.at ?? 0 }] };
}

function notTheAddress() {
  return unusable(
    'address',
    'This is not the address of this signup.',
    'Check the spelling, or look for the signup by this address.',
  );
}

type AllowCall = Pick<
  AccountCall<CustomerBody & { readonly reason: string }>,
  'account' | 'body' | 'user' | 'now' | 'auditEntry'
>;
type ReadAllowed = (saved: readonly ListEntry[]) => Omit<ReadEntry, 'expiresAt'>;

function readAddress(address: string, readListValue: ReadListValue): ReadAllowed {
  return (saved) => readListValue({ action: 'allow', value: address }, saved);
}

/** @returns `null` if the call asks for no list entry */
function readMailbox(
  { mailbox = false }: CustomerBody,
  { row, stored }: WholeAssessment,
): ReadAllowed | null {
  if (!mailbox) return null;
  const { addressHash, mailboxHash: value } = stored;
  if (value === '') throw notTheAddress();
  return () => ({
    kind: 'mailbox',
    value,
    shown: row.email,
    hashes: [addressHash],
    mailboxHashes: [value],
  });
}

/** Allows every spelling of the mailbox. */
async function allow(
  admin: ListAdmin,
  readAllowed: ReadAllowed,
  { account, body, user, now, auditEntry }: AllowCall,
): Promise<SavedEntry> {
  const { days = USUAL_DAYS, reason } = body;
  const expiresAt = days === 0 ? null : now + days * DAY_MS;
  const read = (saved: readonly ListEntry[]) => ({
    ...readAllowed(saved),
    expiresAt,
  });
  const { replaced, ...entry } = await admin.save(
    {
      accountId: account.id,
      action: 'allow',
      reason,
      author: nameUser(user),
      read,
    },
    now,
    auditEntry,
  );
  return { entry, before: replaced };
}
