/** Makes the message of an event: what a webhook's body says, in the form that the contract documents. */
import { isInShadow } from '../model/enforced-share.ts';
import { EVENT_VERSION, type EventMessage, type StoredEvent } from '../model/event.ts';
import { OUTCOME_AUTHOR } from '../model/outcome.ts';
import { TOLD_ACCOUNTS } from '../model/take-back.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import { CHALLENGE_AUTHOR } from '../store/challenge-store.ts';
import type { TakeBackStore } from '../store/take-back-store.ts';
import { decodeText } from '../store/text.ts';
import { accountPath } from './sentence.ts';

/** Finds the answer of a stored live signup; `undefined` where there is none any more. */
export type FindSignup = (accountId: string, requestId: string) => Promise<object | undefined>;

/** Stores that messages are made from when they are sent. */
export interface MessageSources {
  readonly findSignup: FindSignup;
  readonly store: Pick<TakeBackStore, 'takeBackJob' | 'takeBackAccounts'>;
}

/** @returns `undefined` where there is nothing to tell any more */
export async function toMessage(
  event: StoredEvent,
  sources: MessageSources,
): Promise<EventMessage | undefined> {
  const data = await dataOf(event, sources);
  if (data === undefined) return undefined;
  return {
    id: event.id,
    type: event.type,
    version: EVENT_VERSION,
    timestamp: toTimestamp(event.at),
    account_id: event.accountId,
    object: event.object,
    data,
  };
}

/** Authors of reports that nobody made: what a challenge or an outcome says. */
const AUTOMATIC: readonly string[] = [CHALLENGE_AUTHOR, OUTCOME_AUTHOR];

type Data = Readonly<Record<string, unknown>>;

async function dataOf(event: StoredEvent, { findSignup, store }: MessageSources): Promise<Data | undefined> {
  const { type, object, data } = event;
  switch (type) {
    case 'signup.assessed':
      return (await findSignup(event.accountId, object)) as Data | undefined;
    case 'campaign.opened':
    case 'campaign.grew':
    case 'campaign.ended':
      return { campaign_id: object, ...campaignOf(data) };
    case 'feedback.created':
      // Reports of the sandbox are no news.
      return (
        (await findSignup(event.accountId, object)) && {
          request_id: object,
          outcome: data.outcome,
          actor: AUTOMATIC.includes(String(data.actor)) ? null : decoded(data, 'actor').actor,
        }
      );
    case 'list.changed':
      return listChange(object, data);
    case 'key.changed':
      return {
        key_id: object,
        ...data,
        ...decoded(data, 'actor'),
        shadow: isInShadow({ enforcedShare: Number(data.enforced_share) }),
      };
    case 'alert.opened':
    case 'alert.closed':
      return { ...data, path: accountPath(event.accountId, `alerts/${object}`) };
    case 'recall.found':
      return { ...data, path: accountPath(event.accountId, 'recall') };
    case 'takeback.accounts':
      return takenBack(event, store);
    default:
      return data;
  }
}

/** The author of an entry saved it; the person who removed it is written down apart. */
function listChange(object: string, data: Data): Data {
  const { reason, by, actor } = decoded(data, 'reason', 'by', 'actor');
  return { entry_id: object, ...data, reason, by, ...times(data, 'expires_at'), actor: by ?? actor };
}

async function takenBack(
  { accountId, object, data }: StoredEvent,
  store: MessageSources['store'],
): Promise<Data | undefined> {
  const { after, last, ...part } = data;
  const job = await store.takeBackJob(accountId, object);
  const found = await store.takeBackAccounts(accountId, object, String(after), TOLD_ACCOUNTS);
  const accounts = found.filter(({ requestId }) => requestId <= String(last));
  if (job === undefined || accounts.length === 0) return undefined;
  return {
    job_id: object,
    name: job.name,
    actor: job.by,
    ...part,
    accounts: accounts.map(({ requestId, sessionId, userId, at }) => ({
      request_id: requestId,
      session_id: sessionId,
      user_id: userId,
      signed_up_at: toTimestamp(at),
    })),
  };
}

function campaignOf(data: Data): Data {
  const { scope_text: place, ended_reason: reason = null, ended_by: by = null, ...rest } = data;
  const endedBy = typeof by === 'string' && by !== '' ? decodeText(by) : null;
  return {
    ...rest,
    place,
    ...times(data, 'since', 'last_at'),
    ended_reason: reason,
    ended_by: endedBy,
    actor: endedBy,
  };
}

/** Texts of people are stored in the form of the database. */
function decoded(data: Data, ...names: readonly string[]): Data {
  const entries = names.map((name) => [name, typeof data[name] === 'string' ? decodeText(data[name]) : null]);
  return Object.fromEntries(entries) as Data;
}

function times(data: Data, ...names: readonly string[]): Data {
  const entries = names.map((name) => [
    name,
    typeof data[name] === 'number' ? toTimestamp(data[name]) : null,
  ]);
  return Object.fromEntries(entries) as Data;
}
