/** Gives the dashboard the services of rooms that HTTP may not import: intelligence, and the meaning of what people type. */
import { readBlockRange } from '../address/block.ts';
import { parseEmail } from '../address/email.ts';
import type { AddressHashes } from '../address/fingerprint.ts';
import { parseIp } from '../address/ip.ts';
import { mailboxOf } from '../address/mailbox.ts';
import { trimInvisible } from '../address/visible-text.ts';
import { createListContest, isCrowdedDomain, trialScopesOf } from '../evidence/list-trial.ts';
import { hashesOfPerson, keepListValue, type ListValue, readListValueFor } from '../evidence/list-value.ts';
import { createMailHostService } from '../evidence/mail-host-service.ts';
import type { AccountServices } from '../http/dashboard.ts';
import { createPrivacyService, type PrivacyServiceOptions } from '../installation/privacy-service.ts';
import { checkText } from '../intel/check.ts';
import type { Intel } from '../intel/intel.ts';
import type { LiveIntel } from '../intel/live-intel.ts';
import { isHashedKind } from '../model/list-entry.ts';
import { DEFAULT_POLICY } from '../signup/policy.ts';

export interface DashboardServicesOptions extends PrivacyServiceOptions {
  readonly intel: LiveIntel;
  readonly fetching: boolean;
  readonly storeEmails: boolean;
  readonly disposableMxMin: number | null;
  readonly recallDays: number | null;
  readonly recallHour: number;
}

export function dashboardServices(options: DashboardServicesOptions): AccountServices {
  const { intel, fetching, addressHashes, storeEmails, store, disposableMxMin: minListed, clock } = options;
  return {
    privacy: createPrivacyService(options),
    recall: { days: options.recallDays, hour: options.recallHour },
    hosts: createMailHostService({
      store,
      intel: async () => intel.current(),
      minListed,
      defaultPoints: DEFAULT_POLICY.weights.disposable_mx,
      clock,
    }),
    intelligence: {
      fetching,
      snapshot: intel.current,
      since: intel.since,
      feeds: intel.status,
      refreshing: intel.refreshing,
      refresh: intel.refresh,
      rollBack: intel.rollBack,
      use: intel.use,
      keep: intel.keep,
      check: (text) => check(intel.current(), text),
      asName: (asn) => intel.current().asName(asn),
      asesNamed: (text, max) => intel.current().asesNamed(text, max),
    },
    readers: {
      block: readBlockRange,
      domain: (text) => parseEmail(`x@${trimInvisible(text)}`)?.domain,
      email: parseEmail,
    },
    hashesOf(address) {
      const email = parseEmail(address);
      const mailbox = email === undefined ? address : mailboxOf(email);
      return {
        address: addressHashes.hashUnderAllKeys(address),
        mailbox: addressHashes.hashUnderAllKeys(mailbox),
      };
    },
    readListValue({ action, value, exact }, saved) {
      const read = readListValueFor(action, value, exact);
      const kept = keepListValue(read, { hashes: addressHashes, storeEmails }, saved);
      return { ...kept, ...hashesOfPerson(read, addressHashes) };
    },
    isCrowdedDomain: (entry) => isCrowdedDomain(entry, intel.current()),
    tryListEntry({ action, value: text, exact }, others, now) {
      const value = readListValueFor(action, text, exact);
      const stored = keepListValue(value, { hashes: addressHashes, storeEmails });
      // Entries and signups from before a rotation have another hash of the same address.
      const renewed = createRenewed(value, addressHashes);
      const known = others.map((other) => ({ ...other, value: renewed(other.value) }));
      const contest = createListContest({ action, kind: stored.kind, value: stored.value }, known, now);
      return {
        kind: stored.kind,
        value: stored.value,
        shown: stored.shown,
        ...hashesOfPerson(value, addressHashes),
        scopes: trialScopesOf(value, addressHashes),
        resultOf: ({ row, addressHash, mailboxHash }) =>
          contest({ ...row, addressHash: renewed(addressHash), mailboxHash: renewed(mailboxHash) }),
      };
    },
  };
}

/** Hashes of an address and its mailbox under earlier keys, as they are under the newest one; other hashes stay. */
function createRenewed(
  { kind, value }: ListValue,
  { hashUnderAllKeys }: AddressHashes,
): (hash: string) => string {
  const email = isHashedKind(kind) ? parseEmail(value) : undefined;
  const newest = new Map<string, string>();
  for (const text of email === undefined ? [] : [email.address, mailboxOf(email)]) {
    const hashes = hashUnderAllKeys(text);
    for (const hash of hashes) newest.set(hash, hashes[0] as string);
  }
  return (hash) => newest.get(hash) ?? hash;
}

function check(intel: Intel, text: string) {
  try {
    const { query, listings } = checkText(intel, text);
    const kind = parseIp(query) === undefined ? ('domain' as const) : ('ip' as const);
    return { subject: query, kind, listings };
  } catch {
    return undefined;
  }
}
