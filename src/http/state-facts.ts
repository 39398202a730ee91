/** The facts on which people decide changes, and how the audit log describes the changes of others. */
import { newOf } from '../accounts/audit-log.ts';
import { parseShare } from '../accounts/key-audit.ts';
import type { Label } from '../contract/dashboard-assessments.ts';
import type { MailHostReport } from '../contract/dashboard-installation.ts';
import type { Campaign } from '../model/campaign.ts';
import { MAX_SHARE } from '../model/enforced-share.ts';
import type { Destination } from '../model/event.ts';
import type { FeedStatus } from '../model/feed-status.ts';
import type { Hook } from '../model/hook.ts';
import type { ListEntry } from '../model/list-entry.ts';
import type { ProviderConnection } from '../model/take-back.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { Membership, StoredPolicy } from '../store/dashboard-store.ts';
import type { StoredFeedback } from '../store/history-store.ts';
import type { Account, Key } from '../store/store.ts';
import type { Fact } from './state-version.ts';

/** Thresholds and weights of an account. */
export function policyFacts({ thresholds }: Account, policy: StoredPolicy | null): readonly Fact[] {
  return [
    {
      name: 'thresholds',
      value: thresholds,
      describe: ({ action, target, detail }) =>
        action === 'thresholds.set' && target === 'account' ? `set ${newOf(detail)}` : undefined,
    },
    {
      name: 'weights',
      value: policy?.version ?? null,
      describe: ({ action, target, detail }) =>
        action === 'policy.save' ? `saved the weights as ${target}: ${detail}` : undefined,
    },
  ];
}

/** Name, secrets, settings and validity of a key. */
export function keyFacts(key: Key): readonly Fact[] {
  const { name, enforcedShare, thresholds, expiresAt, allowedRanges, revokedAt } = key;
  /** Entries name a key by its name alone, or with its mode. */
  const isOfKey = ({ target }: AuditEntry) => target === `key ${name}` || target.endsWith(` key ${name}`);
  const describe =
    (words: Readonly<Record<string, (entry: AuditEntry) => string>>): Fact['describe'] =>
    (entry) =>
      isOfKey(entry) ? words[entry.action]?.(entry) : undefined;
  return [
    {
      name: 'name',
      value: name,
      describe: describe({ 'key.rename': () => `renamed the key to “${name}”` }),
    },
    {
      name: 'shadow',
      value: enforcedShare,
      describe: describe({
        'key.shadow': ({ detail }) => describeNewShare(name, detail),
        'key.enforce': ({ detail }) => describeNewShare(name, detail),
      }),
    },
    {
      name: 'own',
      value: thresholds,
      describe: describe({ 'thresholds.set': ({ detail }) => `set ${newOf(detail)} for “${name}”` }),
    },
    {
      name: 'secret',
      value: [key.hash, key.previous?.hash, key.previous?.until],
      describe: describe({
        'key.rotate': () => `rotated “${name}”`,
        'key.rotate_end': () => `ended the old secret of “${name}”`,
        'key.rotate_undo': () => `took the rotation of “${name}” back`,
      }),
    },
    {
      name: 'expiry',
      value: expiresAt,
      describe: describe({ 'key.expiry': ({ detail }) => `set the expiry of “${name}”: ${detail}` }),
    },
    {
      name: 'ranges',
      value: allowedRanges,
      describe: describe({ 'key.ranges': ({ detail }) => `set the ranges of “${name}”: ${detail}` }),
    },
    {
      name: 'revoked',
      value: revokedAt !== null,
      describe: describe({ 'key.revoke': () => `revoked “${name}”` }),
    },
  ];
}

function describeNewShare(name: string, detail: string): string {
  const share = parseShare(newOf(detail));
  if (share === 0) return `started shadow mode of “${name}”`;
  return share === MAX_SHARE ? `ended shadow mode of “${name}”` : `set “${name}” to ${newOf(detail)}`;
}

/**
 * The entries of one value, on both lists.
 * @param shown how the audit log names the value
 */
export function entryFacts(entries: readonly ListEntry[], shown: string): readonly Fact[] {
  return [
    {
      name: 'entries',
      value: entries
        .map(({ id, reason, author, expiresAt }) => [id, reason, author, expiresAt])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      describe: ({ action, target, detail }) =>
        target === shown ? describeEntry(action, detail) : undefined,
    },
  ];
}

/**
 * The role of a member.
 * @param shown how the audit log names the member; without it, no change is described
 */
export function roleFacts({ role }: Pick<Membership, 'role'>, shown?: string): readonly Fact[] {
  return [
    {
      name: 'role',
      value: role,
      describe: ({ action, target, detail }) =>
        action === 'role_changed' && target === shown
          ? `changed the role of ${target}: ${detail}`
          : undefined,
    },
  ];
}

/** Name, plan and limits of an account, which operators set, and its time zone. */
export function accountFacts(account: Account): readonly Fact[] {
  const { name, plan, overage, monthlyQuota, requestsPerSecond } = account;
  return [
    ...zoneFacts(account),
    {
      name: 'limits',
      value: [name, plan, overage, monthlyQuota, requestsPerSecond],
      describe: ({ action, target, detail }) =>
        action === 'account_changed' && !ONLY_ZONE.test(detail) ? `changed ${target}: ${detail}` : undefined,
    },
  ];
}

export function zoneFacts({ timeZone }: Pick<Account, 'timeZone'>): readonly Fact[] {
  return [
    {
      name: 'zone',
      value: timeZone,
      describe: ({ action, detail }) =>
        action === 'account_changed' && ZONE.test(detail)
          ? `set the time zone ${ZONE.exec(detail)?.[1]}`
          : undefined,
    },
  ];
}

/** Secret and validity of a hook. */
export function hookFacts({ name, secrets, revokedAt }: Hook): readonly Fact[] {
  const describe =
    (action: string, words: string): Fact['describe'] =>
    (entry) =>
      entry.action === action && entry.target.endsWith(` hook ${name}`) ? words : undefined;
  return [
    { name: 'secret', value: secrets.current, describe: describe('hook.rotate', `replaced its secret`) },
    { name: 'revoked', value: revokedAt !== null, describe: describe('hook.revoke', `revoked “${name}”`) },
  ];
}

/** Name, address, events, secret and state of a destination of events. */
export function destinationFacts(destination: Destination): readonly Fact[] {
  const { kind, name, address, types, verdicts, digestHour, secrets, disabled } = destination;
  const describe =
    (actions: Readonly<Record<string, string>>): Fact['describe'] =>
    ({ action, target, detail }) => {
      const words = actions[action];
      if (words === undefined || target !== `${kind} ${name}`) return undefined;
      return detail === '' ? `${words} “${name}”` : `${words} “${name}”: ${detail}`;
    };
  return [
    {
      name: 'settings',
      value: [name, address, types, verdicts, digestHour],
      describe: describe({ 'destination.change': 'changed' }),
    },
    {
      name: 'secret',
      value: [secrets.current, secrets.previous],
      describe: describe({
        'destination.change': 'changed',
        'destination.rotate': 'replaced the secret of',
      }),
    },
    {
      name: 'disabled',
      value: disabled,
      describe: describe({ 'destination.change': 'changed', 'destination.disable': 'disabled' }),
    },
  ];
}

/** Settings and secret of a connection to a provider. */
export function connectionFacts(connection: ProviderConnection): readonly Fact[] {
  const { kind, name, url, clientId, realm, perSecond, isSessionUser, secret } = connection;
  return [
    {
      name: 'settings',
      value: [name, url, clientId, realm, perSecond, isSessionUser, secret],
      describe: ({ action, target, detail }) =>
        action === 'connection.change' && target === `${kind} ${name}`
          ? `changed “${name}”: ${detail}`
          : undefined,
    },
  ];
}

/** Decisions of people about a wave; its members come and go. */
export function campaignFacts({ id, ended, decision, decidedAt }: Campaign): readonly Fact[] {
  return [
    {
      name: 'decision',
      value: [decision, decidedAt, ended?.reason === 'person' ? ended.at : null],
      describe: ({ action, target }) =>
        target === id ? CAMPAIGN_WORDS[action.replace(/^campaign\./, '')] : undefined,
    },
  ];
}

/** Report about a signup, with its note. */
export function reportFact(requestId: string, report: StoredFeedback | null): Fact {
  const value = report === null ? null : [report.outcome, report.at];
  return { ...labelFact(requestId, null), name: 'report', value };
}

/** The label of a signup alone. */
export function labelFact(requestId: string, label: Label | null): Fact {
  return {
    name: 'label',
    value: label,
    describe: ({ action, target, detail }) => {
      if (target !== requestId) return undefined;
      if (action === 'feedback.undo') return 'took a report back';
      return action === 'feedback.give' ? REPORT_WORDS[detail] : undefined;
    },
  };
}

/** Decisions of operators about a mail host. */
export function hostFacts({ remembered_as, decision }: MailHostReport): readonly Fact[] {
  return [
    {
      name: 'host',
      value: decision === null ? null : [decision.never_flag, decision.forgotten],
      describe: ({ action, target }) => (target === remembered_as ? HOST_WORDS[action] : undefined),
    },
  ];
}

/** The version of a feed that is in use, and the one that waits. */
export function feedFacts({
  id,
  version,
  review,
}: Pick<FeedStatus, 'id' | 'version' | 'review'>): readonly Fact[] {
  return [
    {
      name: 'feed',
      value: [version, review?.version, review?.decision],
      describe: ({ action, target }) => (target === id ? FEED_WORDS[action]?.(id) : undefined),
    },
  ];
}

const ZONE = /time zone \S+ → (\S+)$/;
const ONLY_ZONE = /^time zone \S+ → \S+$/;
const CAMPAIGN_WORDS: Readonly<Record<string, string>> = {
  confirm: 'confirmed this wave',
  dismiss: 'said that these are your people',
  end: 'ended this wave',
  reopen: 'reopened this wave',
  restore: 'took a decision about this wave back',
};
const REPORT_WORDS: Readonly<Record<string, string>> = {
  false_positive: 'reported it as a good customer who was stopped',
  false_negative: 'reported it as fraud that was let in',
  confirmed_fraud: 'confirmed it as fraud',
};
const FEED_WORDS: Readonly<Record<string, (id: string) => string>> = {
  'intelligence.rollback': (id) => `rolled ${id} back`,
  'intelligence.use': (id) => `used the new version of ${id}`,
  'intelligence.keep': (id) => `kept the version of ${id}`,
};
const HOST_WORDS: Readonly<Record<string, string>> = {
  'intelligence.host_forgotten': 'forgot this host',
  'intelligence.host_never_flagged': 'decided never to flag this host',
  'intelligence.host_judged_again': 'allowed flagging this host again',
};

/** The valid entries for a value, on either list: a new one replaces or contradicts them. `hashes`: of an address under every key in use. */
export function entriesOf(
  { kind, value, hashes = [] }: Pick<ListEntry, 'kind' | 'value'> & { readonly hashes?: readonly string[] },
  entries: readonly ListEntry[],
  now: number,
): readonly ListEntry[] {
  return entries.filter(
    (entry) =>
      entry.kind === kind &&
      (entry.value === value || hashes.includes(entry.value)) &&
      (entry.expiresAt === null || entry.expiresAt > now),
  );
}

function describeEntry(action: string, detail: string): string | undefined {
  const reason = detail === '' ? '' : `: ${detail}`;
  if (action === 'list.allow') return `put it on the Allow list${reason}`;
  if (action === 'list.deny') return `put it on the Block list${reason}`;
  if (action === 'list.office') return `put it among the shared offices${reason}`;
  return action === 'list.remove' ? `removed it from the ${detail}` : undefined;
}
