/** Campaigns in both databases: every change gets a new version, so that services find it; nothing learned changes what people decided. */
import { setImmediate } from 'node:timers/promises';
import {
  type Campaign,
  type CampaignAction,
  type CampaignDecision,
  type CampaignEnd,
  type CampaignFamily,
  type CampaignMark,
  type CampaignScope,
  type CampaignState,
  type LearnedCampaign,
  NETWORK_SCOPES,
} from '../model/campaign.ts';
import type { CampaignStore } from './campaign-store.ts';
import { insertVersioned, readVersion, type SqlDatabase, type SqlStatement } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';

type CampaignRow = Readonly<Record<string, string | number | null>>;

/** Good reports that end a campaign: so many, and at least one for so many members. */
const DISSOLVING = { reports: 2, membersAReport: 20 } as const;
const MILLIONTHS = 1_000_000;
const TENTHS = 10;
const PER_PAGE = 500;

const GROWING = ['members', 'stopped', 'let_in', 'networks', 'hosting', 'last_at'];
/** Columns that are taken from whoever saw the newest member. */
const NEWEST = ['usual_ppm', 'decades_tenths', 'families'];
const larger = (column: string) =>
  `${column} = CASE WHEN excluded.${column} > campaigns.${column} THEN excluded.${column} ELSE campaigns.${column} END`;
const newer = (column: string) =>
  `${column} = CASE WHEN excluded.last_at >= campaigns.last_at THEN excluded.${column} ELSE campaigns.${column} END`;
const LEARN = `WHERE NOT EXISTS (SELECT 1 FROM campaigns WHERE account_id = $2 AND key = $3 AND id <> $1
    AND (state = 'open' OR decision = 'dismissed'))
  ON CONFLICT (id) DO UPDATE SET ${[...GROWING.map(larger), ...NEWEST.map(newer)].join(', ')},
    version = excluded.version
  WHERE campaigns.state = 'open' RETURNING *`;
const OPEN = "state = 'open', ended_at = NULL, ended_by = NULL, ended_reason = NULL";
/** `$3`: when, `$4`: by whom. An ended campaign keeps its end. */
const ENDED = `state = 'ended', ended_at = coalesce(ended_at, $3), ended_by = coalesce(ended_by, $4),
  ended_reason = coalesce(ended_reason, 'person')`;
const DECIDED = 'decided_at = $3, decided_by = $4, decided_note = $5';
const UNDECIDED = "decision = '', decided_at = NULL, decided_by = '', decided_note = ''";
const NO_OTHER_IS_OPEN = `NOT EXISTS (SELECT 1 FROM campaigns AS o WHERE o.account_id = campaigns.account_id
  AND o.key = campaigns.key AND o.state = 'open' AND o.id <> campaigns.id)`;
const ACTIONS: Readonly<
  Record<CampaignAction, { readonly set: string; readonly where: string; readonly values: number }>
> = {
  confirm: { set: `${OPEN}, decision = 'confirmed', ${DECIDED}`, where: NO_OTHER_IS_OPEN, values: 3 },
  dismiss: { set: `${ENDED}, decision = 'dismissed', ${DECIDED}`, where: 'true', values: 3 },
  end: { set: ENDED, where: "state = 'open'", values: 2 },
  reopen: { set: `${OPEN}, ${UNDECIDED}`, where: NO_OTHER_IS_OPEN, values: 0 },
};

const SAVE_REPORT = `INSERT INTO campaign_reports (request_id, campaign_id, account_id, outcome, at)
    SELECT $1, $2, $3, $4, $5 WHERE EXISTS (SELECT 1 FROM campaigns WHERE id = $2 AND account_id = $3)
  ON CONFLICT (request_id) DO UPDATE SET campaign_id = excluded.campaign_id, outcome = excluded.outcome, at = excluded.at`;
const REMOVE_REPORT =
  'DELETE FROM campaign_reports WHERE request_id = $1 AND campaign_id = $2 AND account_id = $3';
const countOf = (condition: string) =>
  `(SELECT count(*) FROM campaign_reports WHERE campaign_id = campaigns.id AND ${condition})`;
const COUNT_REPORTS = `UPDATE campaigns SET good_reports = ${countOf("outcome = 'false_positive'")},
  fraud_reports = ${countOf("outcome <> 'false_positive'")} WHERE id = $1`;
const IS_DISSOLVED = `decision <> 'confirmed' AND good_reports >= ${DISSOLVING.reports}
  AND good_reports * ${DISSOLVING.membersAReport} >= members`;
const DISSOLVE = `UPDATE campaigns SET state = 'ended', ended_at = $2, ended_by = '', ended_reason = 'good_reports'
  WHERE id = $1 AND state = 'open' AND ${IS_DISSOLVED}`;
const RESTORE = `UPDATE campaigns SET ${OPEN}
  WHERE id = $1 AND ended_reason = 'good_reports' AND decision <> 'dismissed' AND NOT (${IS_DISSOLVED})
    AND ${NO_OTHER_IS_OPEN}`;

const READ_PAGE = 'SELECT * FROM campaigns WHERE (version, id) > ($1, $2) ORDER BY version, id LIMIT $3';
const FIND = 'SELECT * FROM campaigns WHERE id = $1 AND account_id = $2';
const OLD = `SELECT id FROM campaigns WHERE state = 'ended' AND decision <> 'dismissed' AND last_at < $1
  ORDER BY id LIMIT $2`;

const OLD_NETWORKS = `SELECT id FROM campaigns WHERE last_at < $1 AND scope_text <> ''
  AND scope IN (${NETWORK_SCOPES.map((scope) => `'${scope}'`).join(', ')}) ORDER BY id LIMIT $2`;

export function createCampaignStore(database: SqlDatabase): CampaignStore {
  const { change } = database;
  const nextVersion = database.nextVersion('campaigns');
  const newVersion = database.newVersion('campaigns');
  /** Campaigns of an account change one after the other, so that two nodes never open one key twice. */
  const lock = (accountId: string) => database.lock(`campaigns of ${accountId}`);
  const asChanged = (id: string, accountId: string): SqlStatement => ({
    sql: `UPDATE campaigns SET version = ${newVersion} WHERE id = $1 AND account_id = $2 RETURNING *`,
    values: [id, accountId],
  });

  return {
    async saveLearned(learned) {
      const insert = insertVersioned('campaigns', toRow(learned), newVersion, LEARN);
      return first(await change<CampaignRow>([], ...lock(learned.accountId), ...nextVersion, insert));
    },
    async endSilent(id, { lastAt, at }) {
      const sql = `UPDATE campaigns SET state = 'ended', ended_at = $3, ended_by = '', ended_reason = 'silence',
        version = ${newVersion} WHERE id = $1 AND state = 'open' AND last_at <= $2 RETURNING *`;
      return first(await change<CampaignRow>([], ...nextVersion, { sql, values: [id, lastAt, at] }));
    },
    async decideCampaign(accountId, id, { action, at, by, note }, ...audit) {
      const { set, where, values: count } = ACTIONS[action];
      const sql = `UPDATE campaigns SET ${set}, version = ${newVersion}
        WHERE id = $1 AND account_id = $2 AND ${where} RETURNING *`;
      const values = [encodeText(id), accountId, ...[at, encodeText(by), encodeText(note)].slice(0, count)];
      return first(await change<CampaignRow>(audit, ...lock(accountId), ...nextVersion, { sql, values }));
    },
    async restoreDecision(before, decidedAt, ...audit) {
      const { id, accountId, state, ended, decision, decidedAt: at, decidedBy, decidedNote } = before;
      const sql = `UPDATE campaigns SET state = $4, ended_at = $5, ended_by = $6, ended_reason = $7, decision = $8,
          decided_at = $9, decided_by = $10, decided_note = $11, version = ${newVersion}
        WHERE id = $1 AND account_id = $2 AND decided_at = $3 AND ($4 = 'ended' OR ${NO_OTHER_IS_OPEN}) RETURNING *`;
      const end = [ended?.at ?? null, ended === null ? null : encodeText(ended.by), ended?.reason ?? null];
      const decided = [decision, at, encodeText(decidedBy), encodeText(decidedNote)];
      const values = [encodeText(id), accountId, decidedAt, state, ...end, ...decided];
      return first(await change<CampaignRow>(audit, ...lock(accountId), ...nextVersion, { sql, values }));
    },
    async saveCampaignReport({ campaignId: id, accountId, requestId, outcome, at }) {
      const statements = [
        outcome === null
          ? { sql: REMOVE_REPORT, values: [requestId, id, accountId] }
          : { sql: SAVE_REPORT, values: [requestId, id, accountId, outcome, at] },
        { sql: COUNT_REPORTS, values: [id] },
        { sql: DISSOLVE, values: [id, at] },
        { sql: RESTORE, values: [id] },
        asChanged(id, accountId),
      ];
      return first(await change<CampaignRow>([], ...lock(accountId), ...nextVersion, ...statements));
    },
    ...createReading(database),
    ...createRemovals(database),
  };
}

function createReading(
  database: SqlDatabase,
): Pick<CampaignStore, 'findCampaign' | 'campaigns' | 'campaignsVersion' | 'campaignChangesSince'> {
  const { query } = database;
  return {
    async findCampaign(accountId, id) {
      return first(await query<CampaignRow>(FIND, [encodeText(id), accountId]));
    },
    async campaigns(accountId, { state, after = null, limit }) {
      const values: (string | number)[] = [accountId, limit + 1];
      const bind = (value: string) => `$${values.push(encodeText(value))}`;
      const conditions = [
        ...(state === undefined ? [] : [`AND state = ${bind(state)}`]),
        ...(after === null ? [] : [`AND id < ${bind(after)}`]),
      ];
      const sql = `SELECT * FROM campaigns WHERE account_id = $1 ${conditions.join(' ')} ORDER BY id DESC LIMIT $2`;
      const found = (await query<CampaignRow>(sql, values)).map(toCampaign);
      const page = found.slice(0, limit);
      return { campaigns: page, next: found.length > limit ? (page.at(-1) as Campaign).id : null };
    },
    campaignsVersion: () => readVersion(database, 'campaigns'),
    async *campaignChangesSince(version) {
      // No id is greater than this one, so reading begins after all campaigns of the version itself.
      let after: readonly [version: number, id: string] = [version, '~'];
      for (;;) {
        const page = await query<CampaignRow>(READ_PAGE, [...after, PER_PAGE]);
        for (const row of page) yield toCampaign(row);
        if (page.length < PER_PAGE) return;
        const last = page.at(-1) as CampaignRow;
        after = [last.version as number, last.id as string];
        await setImmediate();
      }
    },
  };
}

function createRemovals(
  database: SqlDatabase,
): Pick<CampaignStore, 'blankCampaignScopes' | 'blankOldCampaigns' | 'pruneCampaigns'> {
  const { query, change } = database;
  const nextVersion = database.nextVersion('campaigns');
  const newVersion = database.newVersion('campaigns');
  return {
    async blankCampaignScopes(ids) {
      if (ids.length === 0) return;
      const places = ids.map((_, at) => `$${at + 1}`).join(', ');
      const sql = `UPDATE campaigns SET scope_text = '', version = ${newVersion} WHERE id IN (${places}) RETURNING id`;
      const forget = { sql: `DELETE FROM events WHERE object IN (${places})`, values: ids };
      await change([], ...nextVersion, forget, { sql, values: ids });
    },
    async blankOldCampaigns(before, maxBlanked) {
      if ((await query(OLD_NETWORKS, [before, 1])).length === 0) return 0;
      const sql = `UPDATE campaigns SET scope_text = '', version = ${newVersion}
        WHERE id IN (SELECT id FROM (${OLD_NETWORKS}) AS old) RETURNING id`;
      return (await change([], ...nextVersion, { sql, values: [before, maxBlanked] })).length;
    },
    async pruneCampaigns(before, maxPruned) {
      const values = [before, maxPruned];
      const reports = {
        sql: `DELETE FROM campaign_reports WHERE campaign_id IN (SELECT id FROM (${OLD}) AS old)`,
        values,
      };
      const removal = {
        sql: `DELETE FROM campaigns WHERE id IN (SELECT id FROM (${OLD}) AS old) RETURNING id`,
        values,
      };
      if ((await query(OLD, [before, 1])).length === 0) return 0;
      return (await change([], reports, removal)).length;
    },
  };
}

function first(rows: readonly CampaignRow[]): Campaign | undefined {
  return rows[0] && toCampaign(rows[0]);
}

function toRow(learned: LearnedCampaign) {
  return {
    id: learned.id,
    account_id: learned.accountId,
    key: learned.key,
    scope: learned.scope,
    scope_text: learned.scopeText,
    mark: learned.mark,
    mark_text: learned.markText,
    members: learned.members,
    stopped: learned.stopped,
    let_in: learned.letIn,
    usual_ppm: Math.round(learned.usual * MILLIONTHS),
    decades_tenths: Math.round(learned.decades * TENTHS),
    families: learned.families.join(' '),
    networks: learned.networks,
    hosting: learned.hosting,
    since: learned.since,
    opened_at: learned.openedAt,
    last_at: learned.lastAt,
  };
}

function toCampaign(row: CampaignRow): Campaign {
  const families = row.families as string;
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    key: row.key as string,
    scope: row.scope as CampaignScope,
    scopeText: row.scope_text as string,
    mark: row.mark as CampaignMark,
    markText: row.mark_text as string,
    members: row.members as number,
    stopped: row.stopped as number,
    letIn: row.let_in as number,
    usual: (row.usual_ppm as number) / MILLIONTHS,
    decades: (row.decades_tenths as number) / TENTHS,
    families: (families === '' ? [] : families.split(' ')) as CampaignFamily[],
    networks: row.networks as number,
    hosting: row.hosting as number,
    since: row.since as number,
    openedAt: row.opened_at as number,
    lastAt: row.last_at as number,
    goodReports: row.good_reports as number,
    fraudReports: row.fraud_reports as number,
    verified: row.verified as number,
    bounced: row.bounced as number,
    state: row.state as CampaignState,
    ended: toEnd(row),
    decision: row.decision as CampaignDecision,
    decidedAt: row.decided_at as number | null,
    decidedBy: decodeText(row.decided_by as string),
    decidedNote: decodeText(row.decided_note as string),
  };
}

function toEnd({ ended_at: at, ended_by: by, ended_reason: reason }: CampaignRow): Campaign['ended'] {
  if (at === null) return null;
  return { at: at as number, by: decodeText((by as string | null) ?? ''), reason: reason as CampaignEnd };
}
