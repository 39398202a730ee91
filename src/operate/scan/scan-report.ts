/** The findings of a scan in a list of users, and its form for programs. */
import { isSure, type LearnedCampaign } from '../../model/campaign.ts';
import { toTimestamp } from '../../platform/timestamp.ts';
import { oddsOf } from '../../signup/wave-words.ts';
import type { ListWave } from '../../waves/find-waves.ts';
import type { SignupColumns } from '../signup-file/signup-parser.ts';
import type { UnusedRows } from '../signup-file/unused-rows.ts';
import { findFarms } from './scan-farms.ts';
import type { ScanRow } from './scan-row.ts';
import { divideTime, type ScanTimeline, type Timeline, toTimeline } from './scan-timeline.ts';
import { sharedWords } from './wave-words.ts';

export interface ScanReport {
  readonly rows: number;
  /** Rows that could be used. */
  readonly users: number;
  readonly columns: Pick<SignupColumns, 'email' | 'ip' | 'time'> | null;
  readonly from: string | null;
  readonly until: string | null;
  readonly without_time: number;
  /** Users whose address another row has, too. */
  readonly repeated: number;
  /** Users of a wave, a farm, a throw-away domain or a domain without mail, each counted once. */
  readonly flagged: number;
  readonly in_waves: number;
  /** `null` where no row has a time. */
  readonly timeline: ScanTimeline | null;
  readonly waves: readonly WaveReport[];
  readonly mailbox_farms: Group & { readonly mailboxes: number; readonly largest: readonly FarmReport[] };
  /** Mailboxes with two to five addresses, which may be one person's tags: not counted as flagged. */
  readonly mailbox_aliases: Group & { readonly mailboxes: number };
  readonly disposable: DomainGroup;
  readonly dead: DomainGroup;
  readonly mistyped: DomainGroup;
  readonly role: Group & { readonly examples: readonly WaveExample[] };
  readonly unused: readonly UnusedRows[];
  readonly not_checked: readonly string[];
  readonly snapshot: string;
  readonly seconds: number;
  readonly rows_per_second: number;
}

/** Users with something in common. `share`: of all users, 0 … 1. */
interface Group {
  readonly users: number;
  readonly share: number;
}

export interface WaveReport extends Pick<LearnedCampaign, 'scope' | 'mark' | 'families' | 'usual'> {
  /** Mark that members share, in words. */
  readonly shares: string;
  /** Users. */
  readonly size: number;
  /** Share of all users, 0 … 1. */
  readonly share: number;
  readonly scope_text: string;
  readonly mark_text: string;
  /** Odds that chance made it: in words, and as powers of ten. */
  readonly odds: string;
  readonly decades: number;
  /** Whether it would be sure enough to block. */
  readonly sure: boolean;
  readonly domains: number;
  readonly networks: number;
  readonly hosting: number;
  readonly from: string | null;
  readonly until: string | null;
  /** Users in each step of the list's timeline; empty without times. */
  readonly timeline: readonly number[];
  readonly examples: readonly WaveExample[];
}

interface FarmReport {
  readonly spellings: number;
  readonly users: number;
  readonly from: string | null;
  readonly until: string | null;
  readonly examples: readonly WaveExample[];
}

export interface DomainGroup extends Group {
  /** The largest. `meant`: the domain that was probably meant; `why`: why it takes no mail. */
  readonly domains: readonly {
    readonly domain: string;
    readonly users: number;
    readonly meant?: string;
    readonly why?: string;
  }[];
  readonly examples: readonly WaveExample[];
}

export interface WaveExample {
  readonly line: number;
  readonly email: string;
  /** The address that was probably meant. */
  readonly meant?: string;
}

export interface ScanFindings {
  readonly read: number;
  /** Rows in order of time. */
  readonly rows: readonly ScanRow[];
  readonly waves: readonly ListWave<ScanRow>[];
  readonly columns: SignupColumns | null;
  readonly unused: readonly UnusedRows[];
  readonly notChecked: readonly string[];
  readonly snapshot: string;
  readonly showAddresses: boolean;
  readonly seconds: number;
}

const MAX_EXAMPLES = 5;
const MAX_LARGEST = 20;
const WHY_DEAD: Readonly<Record<ScanRow['dead'], string>> = {
  '': '',
  none: 'no mail server',
  null_mx: 'takes no mail',
  no_domain: 'does not exist',
};

export function makeScanReport(found: ScanFindings): ScanReport {
  const { rows, waves, columns, showAddresses } = found;
  const examplesOf = (of: readonly ScanRow[]) => toExamples(of, showAddresses);
  const groupOf = (users: number): Group => ({ users, share: round(users / Math.max(1, rows.length), 4) });
  const { farms, few } = findFarms(rows);
  const domainsOf = (of: readonly ScanRow[], more: (row: ScanRow) => object = () => ({})): DomainGroup => ({
    ...groupOf(of.length),
    domains: largestDomains(of, more),
    examples: examplesOf(of),
  });
  const disposable = rows.filter(({ isDisposable }) => isDisposable);
  const dead = rows.filter((row) => row.dead !== '');
  const role = rows.filter(({ isRole }) => isRole);
  const inWaves = waves.flatMap((wave) => wave.rows);
  const inFarms = farms.flatMap((farm) => farm.rows);
  const waveLines = new Set(inWaves.map(({ line }) => line));
  const others = new Set([...inFarms, ...disposable, ...dead].filter(({ line }) => !waveLines.has(line)));
  const time = divideTime(rows);
  const addresses = new Set(rows.map(({ member }) => member.addressHash));
  return {
    rows: found.read,
    users: rows.length,
    columns: columns === null ? null : { email: columns.email, ip: columns.ip, time: columns.time },
    ...spanOf(rows),
    without_time: rows.filter(({ at }) => at === null).length,
    repeated: rows.length - addresses.size,
    flagged: waveLines.size + others.size,
    in_waves: inWaves.length,
    timeline: toTimeline(time, rows, inWaves, [...others]),
    waves: waves.map((wave) => ({
      ...toWaveReport(wave, time),
      share: groupOf(wave.rows.length).share,
      examples: examplesOf(wave.rows),
    })),
    mailbox_farms: {
      ...groupOf(inFarms.length),
      mailboxes: farms.length,
      largest: farms.slice(0, MAX_LARGEST).map((farm) => ({
        spellings: farm.spellings,
        users: farm.rows.length,
        ...spanOf(farm.rows),
        examples: examplesOf(farm.rows),
      })),
    },
    mailbox_aliases: { ...groupOf(few.users), mailboxes: few.mailboxes },
    disposable: domainsOf(disposable),
    dead: domainsOf(dead, (row) => ({ why: WHY_DEAD[row.dead] })),
    mistyped: domainsOf(
      rows.filter(({ providerMeant }) => providerMeant !== ''),
      ({ providerMeant }) => ({ meant: providerMeant }),
    ),
    role: { ...groupOf(role.length), examples: examplesOf(role) },
    unused: found.unused,
    not_checked: found.notChecked,
    snapshot: found.snapshot,
    seconds: round(found.seconds, 3),
    rows_per_second: Math.round(found.read / Math.max(found.seconds, 0.001)),
  };
}

function toWaveReport(
  { campaign, rows }: ListWave<ScanRow>,
  time: Timeline | null,
): Omit<WaveReport, 'share' | 'examples'> {
  const { scope, scopeText, mark, markText, families, usual, decades } = campaign;
  const domains = new Set(rows.map(({ member }) => member.registrable)).size;
  const networks = new Set(rows.flatMap(({ member }) => member.range ?? [])).size;
  return {
    shares: sharedWords(campaign, domains),
    size: rows.length,
    odds: oddsOf(decades),
    decades: round(decades, 1),
    sure: isSure({ ...campaign, members: rows.length, decision: '', goodReports: 0 }),
    ...spanOf(rows),
    scope,
    scope_text: scopeText,
    mark,
    mark_text: markText,
    families,
    usual: round(usual, 6),
    domains,
    networks,
    hosting: rows.filter(({ member }) => member.isHosting).length,
    timeline: time?.count(rows) ?? [],
  };
}

/** Distinct addresses, the first ones. */
function toExamples(rows: readonly ScanRow[], showAddresses: boolean): WaveExample[] {
  const examples = new Map<string, WaveExample>();
  for (const { line, email, masked, providerMeant } of rows) {
    if (examples.size === MAX_EXAMPLES) break;
    if (examples.has(email)) continue;
    const shown = showAddresses ? email : masked;
    const meant = `${shown.slice(0, shown.lastIndexOf('@'))}@${providerMeant}`;
    examples.set(email, { line, email: shown, ...(providerMeant !== '' && { meant }) });
  }
  return [...examples.values()];
}

function largestDomains(
  rows: readonly ScanRow[],
  more: (row: ScanRow) => object,
): { domain: string; users: number }[] {
  const domains = new Map<string, { domain: string; users: number }>();
  for (const row of rows) {
    const { domain } = row.member;
    const known = domains.get(domain);
    if (known === undefined) domains.set(domain, { domain, users: 1, ...more(row) });
    else known.users += 1;
  }
  return [...domains.values()].sort((a, b) => b.users - a.users).slice(0, MAX_LARGEST);
}

/** Times of the first and the last row that have one. @param rows in order of time */
function spanOf(rows: readonly ScanRow[]): { from: string | null; until: string | null } {
  const first = rows.find(({ at }) => at !== null)?.at ?? null;
  const last = rows.findLast(({ at }) => at !== null)?.at ?? null;
  return { from: toText(first), until: toText(last) };
}

const toText = (at: number | null) => (at === null ? null : toTimestamp(at));

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
