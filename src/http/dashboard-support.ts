/** POST …/support: finds the person who wrote, by address, request id or session id, and says in plain words what happened. */
import type { SupportAnswer, SupportSignup } from '../contract/dashboard-customer.ts';
import { plainAnswerOf } from '../signup/plain-words.ts';
import { decisionRecordOf } from '../signup/rebuild-answer.ts';
import type { HistoryStore, ReplayableAssessment, ReplaySearch } from '../store/history-store.ts';
import type { CountAddress } from './dashboard-address-limit.ts';
import type { EmailHashes } from './dashboard-find.ts';
import type { FindReaders } from './dashboard-find-text.ts';
import { requireIndexed, toInstant } from './dashboard-history.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, SHORT_TEXT, unusable } from './dashboard-values.ts';
import { labelFact } from './state-facts.ts';
import { versionOf } from './state-version.ts';

export interface SupportRouteOptions {
  readonly store: Pick<HistoryStore, 'indexing' | 'findAssessment' | 'replayableAssessments'>;
  readonly readers: Pick<FindReaders, 'email'>;
  readonly hashesOf: (address: string) => EmailHashes;
  readonly countAddress: CountAddress;
}

type Found = Pick<ReplayableAssessment, 'row' | 'stored'>;

const MAX_SIGNUPS = 10;
const REQUEST_ID = /^req_[0-9a-z]+$/;

export function supportRoute(routes: DashboardRoutes, options: SupportRouteOptions): void {
  const { store, readers, hashesOf, countAddress } = options;

  routes.forAccount<{ readonly text: string }>({
    method: 'POST',
    path: '/accounts/:account/support',
    minRole: 'member',
    body: bodyOf({ text: SHORT_TEXT }),
    async handle(call): Promise<SupportAnswer> {
      const { account, body } = call;
      const text = body.text.trim();
      if (text === '')
        throw unusable('text', 'Nothing to look for.', 'Send an address, a request id or a session id.');
      await requireIndexed(store);
      if (REQUEST_ID.test(text)) {
        const whole = await store.findAssessment(account.id, text);
        return toAnswer('request', whole === undefined ? [] : [whole]);
      }
      if (!text.includes('@')) return toAnswer('session', await search(account.id, [{ sessionId: text }]));
      const email = readers.email(text);
      if (email === undefined)
        throw unusable('text', `${text} is not an email address.`, 'Check the spelling.');
      countAddress(call);
      const searches = hashesOf(email.address).mailbox.map((mailbox) => ({ mailbox }));
      return toAnswer('address', await search(account.id, searches));
    },
  });

  async function search(
    accountId: string,
    searches: readonly Pick<ReplaySearch, 'mailbox' | 'sessionId'>[],
  ): Promise<Found[]> {
    const found: Found[] = [];
    for (const each of searches) {
      const criteria = { ...each, mode: 'live', since: 0 } as const;
      for await (const page of store.replayableAssessments(accountId, criteria, MAX_SIGNUPS + 1))
        found.push(...page);
    }
    return found.sort((a, b) => b.row.at - a.row.at);
  }
}

function toAnswer(by: SupportAnswer['by'], found: readonly Found[]): SupportAnswer {
  return { by, signups: found.slice(0, MAX_SIGNUPS).map(toSignup), more: found.length > MAX_SIGNUPS };
}

function toSignup({ row, stored }: Found): SupportSignup {
  const { evidence, findings } = decisionRecordOf(stored);
  const verdict = row.shadow ? 'allow' : row.verdict;
  return {
    request_id: row.requestId,
    at: toInstant(row.at),
    verdict,
    email: row.email,
    feedback: row.feedback,
    version: versionOf([labelFact(row.requestId, row.feedback)]),
    listed: evidence.list?.action ?? null,
    ...plainAnswerOf(evidence, findings, verdict),
  };
}
