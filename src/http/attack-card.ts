/** Makes the card of an attack: how large and fast it is, what its signups share, and what happened. */
import { alignBlock, parseBlock, writeBlock } from '../address/block.ts';
import { describeAlert } from '../alerts/alert-words.ts';
import type { AttackCard, AttackMoment, AttackShare } from '../contract/dashboard-attacks.ts';
import type { TakeBackJob } from '../model/take-back.ts';
import { countryName } from '../platform/country-names.ts';
import { reportedAs } from '../signup/label-effect.ts';
import { placeOfWave } from '../signup/wave-words.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { HistoryEntry } from '../store/history-store.ts';
import type { TakeBackStore } from '../store/take-back-store.ts';
import type { Attack } from './attack-signups.ts';
import { instantOrNull, toInstant } from './dashboard-history.ts';
import type { IntelligenceService } from './dashboard-intelligence-service.ts';

export interface CardOptions {
  readonly intelligence: Pick<IntelligenceService, 'asName'>;
  /** Lines of the audit log about the attack. */
  readonly moments: readonly AttackMoment[];
  readonly undoable: number;
}

/** Max. jobs of an attack, the newest. */
const MAX_JOBS = 1_000;

/** Jobs that hold the accounts of those who got in by an attack. */
export async function jobsOf(
  store: Pick<TakeBackStore, 'takeBackJobs'>,
  accountId: string,
  attackId: string,
): Promise<readonly TakeBackJob[]> {
  return store.takeBackJobs(accountId, MAX_JOBS, attackId);
}

const MINUTE_MS = 60_000;
const MIN_SHARE = 0.6;
const RANGE_BITS = { ipv4: 24, ipv6: 48 } as const;
const MAX_MOMENTS = 100;

export function isLetIn({ shadow, verdict }: Pick<HistoryEntry, 'shadow' | 'verdict'>): boolean {
  return shadow || verdict === 'allow';
}

/** Signups that were let in, and that nobody has reported. */
export function unreportedOf({ rows }: Pick<Attack, 'rows'>): readonly HistoryEntry[] {
  return rows.filter((row) => isLetIn(row) && row.feedback === null);
}

export function toAttackCard(attack: Attack, options: CardOptions): AttackCard {
  const { id, campaign, rows, partial } = attack;
  const [first, last] = [rows.at(-1), rows[0]];
  const reports = { good: 0, fraud: 0 };
  for (const { feedback } of rows) {
    const reported = reportedAs(feedback);
    if (reported !== null) reports[reported] += 1;
  }
  return {
    id,
    kind: campaign === null ? 'alert' : 'campaign',
    name: nameOf(attack),
    total: rows.length,
    partial,
    let_in: rows.filter(isLetIn).length,
    unreported: unreportedOf(attack).length,
    reports,
    first_at: instantOrNull(first?.at),
    last_at: instantOrNull(last?.at),
    peak_per_minute: peakOf(rows),
    shares: sharesOf(rows, options),
    let_in_filter: { attack: id, let_in: 'true' },
    filter: { attack: id },
    timeline: timelineOf(attack, options.moments),
    undoable: options.undoable,
  };
}

/** Short text, which entries get as their reason. */
export function nameOf({ campaign, alert }: Pick<Attack, 'campaign' | 'alert'>): string {
  if (campaign !== null) return `Wave ${placeOfWave(campaign)}, ${dayOf(campaign.since)}`;
  if (alert === null) return '';
  return `${describeAlert(alert, () => undefined).title}, ${dayOf(alert.since)}`.slice(0, 200);
}

function dayOf(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(at);
}

function peakOf(rows: readonly HistoryEntry[]): number {
  const minutes = new Map<number, number>();
  for (const { at } of rows) {
    const minute = Math.floor(at / MINUTE_MS);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
  }
  return Math.max(0, ...minutes.values());
}

function sharesOf(
  rows: readonly HistoryEntry[],
  { intelligence }: Pick<CardOptions, 'intelligence'>,
): AttackShare[] {
  const values: Readonly<Record<AttackShare['feature'], (row: HistoryEntry) => string | null>> = {
    range: ({ ip }) => rangeOf(ip),
    network: ({ asn }) => (asn === 0 ? null : `AS${asn} ${intelligence.asName(asn)}`.trim()),
    domain: ({ emailDomain }) => emailDomain,
    session: ({ sessionId }) => sessionId,
    country: ({ countryCode }) => (countryCode === '' ? null : countryName(countryCode)),
  };
  return Object.entries(values).flatMap(([feature, read]) => {
    const counts = new Map<string, number>();
    for (const row of rows) {
      const value = read(row);
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const [label = '', count = 0] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
    if (count === 0 || count < MIN_SHARE * rows.length) return [];
    return [{ feature: feature as AttackShare['feature'], label, count }];
  });
}

function rangeOf(ip: string | null): string | null {
  if (ip === null) return null;
  const block = parseBlock(`${ip}/${ip.includes(':') ? RANGE_BITS.ipv6 : RANGE_BITS.ipv4}`);
  return block === undefined ? null : writeBlock(alignBlock(block));
}

function timelineOf({ campaign, alert, rows }: Attack, moments: readonly AttackMoment[]): AttackMoment[] {
  const nobody = (at: number | null | undefined, what: string, detail = ''): AttackMoment[] =>
    at === null || at === undefined ? [] : [{ at: toInstant(at), by: null, what, detail }];
  const learned = [
    ...nobody(rows.at(-1)?.at, 'first'),
    ...nobody(campaign?.openedAt ?? alert?.openedAt, 'found'),
    ...nobody(rows[0]?.at, 'last'),
    ...(campaign?.ended?.by === '' ? nobody(campaign.ended.at, 'ended', campaign.ended.reason) : []),
    ...nobody(alert?.closedAt, 'ended', 'quiet'),
  ];
  return [...learned, ...moments].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MAX_MOMENTS);
}

/** Lines of the audit log that name the attack, or one of its jobs. */
export async function readMoments(
  store: Pick<AuditStore, 'auditEntries'>,
  accountId: string,
  { id, campaign, alert }: Pick<Attack, 'id' | 'campaign' | 'alert'>,
  jobs: readonly TakeBackJob[],
): Promise<AttackMoment[]> {
  const since = campaign?.openedAt ?? alert?.openedAt ?? 0;
  const read = async (action: string) =>
    (await store.auditEntries(accountId, null, MAX_LINES, { action, since })).entries;
  const lines = [...(await read('campaign.')), ...(jobs.length > 0 ? await read('takeback.') : [])];
  const targets = new Set([id, ...jobs.map((job) => job.id)]);
  return lines
    .filter(({ target }) => targets.has(target))
    .map(({ at, by, action, detail }) => ({ at: toInstant(at), by, what: action, detail }));
}

const MAX_LINES = 1_000;
