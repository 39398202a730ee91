/** GET /intelligence and /intelligence/check; POST of a refresh, and of a decision about the version of a feed, by the operator. */
import type {
  FeedReviewRow,
  Intelligence,
  SourceLookup,
  SourceRow,
} from '../contract/dashboard-installation.ts';
import { Problem } from '../contract/problem.ts';
import type { FeedStatus } from '../model/feed-status.ts';
import type { SourceInfo, SourceListing } from '../model/source.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { FeedFlipStore, StoredFeedFlip } from '../store/feed-flip-store.ts';
import { createReadOptional } from './core/body.ts';
import { instantOrNull, toInstant } from './dashboard-history.ts';
import type { IntelligenceService } from './dashboard-intelligence-service.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, TEXT, unusable } from './dashboard-values.ts';
import { feedFacts } from './state-facts.ts';
import { requireVersion, versionOf } from './state-version.ts';

export interface IntelligenceRoutesOptions {
  readonly store: Pick<AuditStore, 'auditEntries'> & Pick<FeedFlipStore, 'feedFlips'>;
  readonly intelligence: IntelligenceService;
  readonly onFault: (error: unknown) => void;
}

interface RefreshBody {
  readonly ids?: readonly string[] | null;
}

const REFRESH_BODY = bodyOf({ ids: { type: ['array', 'null'], items: TEXT } }, []);
const REFUSED = 'The publisher’s update did not pass the checks. An operator can see why.';
const FAILED = 'The last update could not be fetched. An operator can see why.';

export function intelligenceRoutes(routes: DashboardRoutes, options: IntelligenceRoutesOptions): void {
  const { intelligence, onFault } = options;
  const readBody = createReadOptional<RefreshBody>(REFRESH_BODY);

  routes.forMember({
    method: 'GET',
    path: '/intelligence',
    handle: ({ user }) => readIntelligence(options, user.operator),
  });

  routes.forMember({
    method: 'GET',
    path: '/intelligence/check',
    handle: ({ query }) => check(intelligence, query.q ?? ''),
  });

  // A fetch takes as long as the publishers need: the answer says that it has started.
  routes.forOperator({
    method: 'POST',
    path: '/intelligence/refresh',
    async handle({ context, audit }): Promise<Intelligence> {
      const ids = readBody(context.rawBody)?.ids ?? null;
      if (!intelligence.fetching) {
        throw new Problem('conflict', undefined, {
          message: 'Feeds are not fetched on this installation.',
          resolution: 'Set GATEHOUSE_FEEDS=on, or import feeds with `gatehouse intel import`.',
        });
      }
      const on = intelligence.feeds().filter(({ condition }) => condition !== 'off');
      const chosen = ids ?? on.map(({ id }) => id);
      const strange = chosen.find((id) => !on.some((feed) => feed.id === id));
      if (strange !== undefined)
        throw unusable('ids', `There is no feed ${strange}, or it is disabled.`, 'Name enabled feeds.');
      await audit(null, 'intelligence.refresh', chosen.join(', '), '');
      void intelligence.refresh(chosen).catch(onFault);
      return readIntelligence(options, true);
    },
  });

  decisionRoutes(routes, options);
}

/** A version as the audit log names it. */
const versionName = (version: string | null | undefined) => `version ${version ?? 'none'}`;

interface Decision {
  readonly name: 'rollback' | 'use' | 'keep';
  readonly method: 'rollBack' | 'use' | 'keep';
  /** Reason why there is nothing to decide; `undefined`: there is something. */
  readonly missing: (feed: FeedStatus) => string | undefined;
  readonly detailOf: (feed: FeedStatus) => string;
  /** `F was not …` */
  readonly done: string;
}

const NOTHING_WAITS = 'has no version that waits';
const DECISIONS: readonly Decision[] = [
  {
    name: 'rollback',
    method: 'rollBack',
    missing: ({ canRollBack }) => (canRollBack ? undefined : 'has no earlier good version'),
    detailOf: ({ version }) => `from ${versionName(version)}`,
    done: 'rolled back',
  },
  {
    name: 'use',
    method: 'use',
    missing: ({ review }) => (review === null || review.decision === 'used' ? NOTHING_WAITS : undefined),
    detailOf: ({ review }) => versionName(review?.version),
    done: 'changed',
  },
  {
    name: 'keep',
    method: 'keep',
    missing: ({ review }) => (review === null || review.decision === 'kept' ? NOTHING_WAITS : undefined),
    detailOf: ({ review }) => `not ${versionName(review?.version)}`,
    done: 'changed',
  },
];

/** Routes by which an operator says which version of a feed is used. */
function decisionRoutes(routes: DashboardRoutes, options: IntelligenceRoutesOptions): void {
  const { store, intelligence, onFault } = options;
  for (const { name, method, missing, detailOf, done } of DECISIONS) {
    routes.forOperator({
      method: 'POST',
      path: `/intelligence/:id/${name}`,
      async handle({ params, query, audit }): Promise<Intelligence> {
        const feed = intelligence.feeds().find(({ id }) => id === params.id);
        if (feed === undefined) throw new Problem('not_found');
        await requireVersion(query.version, feedFacts(feed), { store, accountId: null });
        const why = missing(feed);
        if (why !== undefined) {
          throw new Problem('conflict', undefined, {
            message: `${feed.id} ${why}.`,
            resolution: 'Wait until its publisher has another version, or disable the feed.',
          });
        }
        await audit(null, `intelligence.${name}`, feed.id, detailOf(feed));
        await intelligence[method](feed.id).catch((error: Error) => {
          onFault(error);
          throw new Problem('conflict', undefined, {
            message: `${feed.id} was not ${done}: ${error.message}.`,
            resolution: 'Look at the feed again in a minute, then try once more.',
          });
        });
        return readIntelligence(options, true);
      },
    });
  }
}

/** @param operator whether an operator reads it: others see no signups of other accounts */
async function readIntelligence(
  { intelligence, store }: Pick<IntelligenceRoutesOptions, 'intelligence' | 'store'>,
  operator: boolean,
): Promise<Intelligence> {
  return toIntelligence(intelligence, operator ? await store.feedFlips() : null);
}

/** @param flips signups whose verdict would change; `null`: the reader is no operator */
function toIntelligence(
  intelligence: IntelligenceService,
  flips: readonly StoredFeedFlip[] | null,
): Intelligence {
  const { id, sources } = intelligence.snapshot();
  return {
    snapshot: id,
    made_at: instantOrNull(intelligence.since()),
    fetching: intelligence.fetching,
    refreshing: intelligence.refreshing(),
    sources: [
      ...intelligence.feeds().map((feed) => toFeedRow(feed, flips)),
      ...sources.filter(({ origin }) => !origin.startsWith('feed:')).map(toBundledRow),
    ],
  };
}

/** An error quotes fetched text, which may be anything: only operators see it. */
function toFeedRow(feed: FeedStatus, flips: readonly StoredFeedFlip[] | null): SourceRow {
  const { refusal, failure } = feed;
  const operator = flips !== null;
  return {
    id: feed.id,
    says: feed.category,
    url: shownFeedUrl(feed.url, operator),
    licence: feed.licence,
    state: feed.condition,
    version: feed.version ?? '',
    fetched_at: instantOrNull(feed.fetchedAt),
    entries: feed.entries,
    added: feed.added,
    removed: feed.removed,
    last_refusal: refusal && { at: toInstant(refusal.at), why: operator ? refusal.why : REFUSED },
    review: operator ? toReviewRow(feed, flips) : null,
    last_failure: failure === null || operator ? failure : FAILED,
    can_roll_back: feed.canRollBack,
    state_version: versionOf(feedFacts(feed)),
  };
}

function toReviewRow({ id, review }: FeedStatus, flips: readonly StoredFeedFlip[]): FeedReviewRow | null {
  if (review === null) return null;
  const examples = flips.filter(({ feed, version }) => feed === id && version === review.version);
  return {
    version: review.version,
    entries: review.entries,
    at: toInstant(review.at),
    judged: review.judged,
    stricter: review.stricter,
    milder: review.milder,
    decision: review.decision,
    examples: examples.map(({ accountId, requestId, at, oldVerdict, newVerdict }) => ({
      account_id: accountId,
      request_id: requestId,
      at: toInstant(at),
      old_verdict: oldVerdict,
      new_verdict: newVerdict,
    })),
  };
}

function toBundledRow({ id, category, origin, licence, version, entries }: SourceInfo): SourceRow {
  return {
    id,
    says: category,
    url: origin.startsWith('npm:') ? `https://www.npmjs.com/package/${origin.slice('npm:'.length)}` : '',
    licence,
    state: 'bundled',
    version,
    fetched_at: null,
    entries,
    added: null,
    removed: null,
    last_refusal: null,
    review: null,
    last_failure: null,
    can_roll_back: false,
    state_version: '',
  };
}

function check(intelligence: IntelligenceService, text: string): SourceLookup {
  const found = intelligence.check(text);
  if (found === undefined) {
    throw unusable(
      'q',
      'This is not an IP address, a domain or an email address.',
      'Send one such as 203.0.113.7, example.com or jo@example.com.',
    );
  }
  return {
    query: found.subject,
    kind: found.kind,
    summary: summarize(found.subject, found.listings),
    claims: found.listings.map(({ source, version, fact, entry, effective, because }) => ({
      source,
      version,
      fact,
      entry,
      holds: effective,
      silenced_by: because,
    })),
  };
}

function summarize(subject: string, listings: readonly SourceListing[]): string[] {
  const effective = listings.filter((listing) => listing.effective && !listing.departed);
  const facts = [...new Set(effective.map(({ fact }) => fact))];
  if (facts.length === 0) return [`${subject} is not listed anywhere.`];
  return facts.map((fact) => {
    const sources = [
      ...new Set(effective.filter((listing) => listing.fact === fact).map(({ source }) => source)),
    ];
    return `${subject} is ${fact} by ${sources.join(', ')}.`;
  });
}

/** Replaces omitted text. */
const MASK = '***';

/**
 * A URL may contain the operator's token for its publisher. Operators see all but the user, the password, the values of the
 * query and the fragment. Everybody else sees the origin.
 */
export function shownFeedUrl(text: string, operator: boolean): string {
  if (!URL.canParse(text)) return '';
  const { protocol, host, pathname, searchParams } = new URL(text);
  const origin = `${protocol}//${host}`;
  if (!operator) return origin;
  const query = [...searchParams].map(([name, value]) =>
    value === '' ? MASK : `${encodeURIComponent(name)}=${MASK}`,
  );
  return `${origin}${pathname}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}
