/** Any assessment, with everything that its answer and its explanation may depend on. */
import fc from 'fast-check';
import type { Evidence } from '../../src/model/evidence.ts';
import type { ListMatch } from '../../src/model/list-entry.ts';
import type { Thresholds } from '../../src/model/policy.ts';
import { IP_STATUSES } from '../../src/model/signup-attempt.ts';
import { overlay } from '../../src/signup/account-policy.ts';
import { judge } from '../../src/signup/judge.ts';
import { DEFAULT_POLICY, RULES } from '../../src/signup/policy.ts';
import { anyCharacter } from './any-character.ts';
import { anyEvidence } from './any-evidence.ts';
import type { RecordedOptions } from './recorded.ts';

const text = fc.string({ unit: anyCharacter, maxLength: 50 });
/** Escapes, lone surrogates and lengths that serializers treat differently. */
const hardText = fc.oneof(text, fc.constantFrom('', '"', '\\', '\u0000', '\ud800', '🦊', 'é'.repeat(60)));
const count = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.maxSafeNat());

const thresholds = fc
  .tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }))
  .map(([a, b]): Thresholds => ({ challenge: Math.min(a, b), block: Math.max(a, b) }));

/** With one decimal. */
const weights = fc
  .dictionary(
    fc.constantFrom(...RULES.map(({ detector }) => detector)),
    fc.integer({ min: 0, max: 1_000 }).map((tenths) => tenths / 10),
  )
  .map((changes) => overlay(DEFAULT_POLICY.weights, changes));

const list = fc.option(
  fc.record<ListMatch>({
    id: fc.constant('lst_1'),
    action: fc.constantFrom('allow', 'deny'),
    kind: fc.constantFrom('address', 'mailbox', 'ip', 'cidr', 'domain', 'asn', 'country'),
    value: hardText,
    reason: fc.option(hardText),
  }),
  { freq: 8 },
);

const place = fc.constantFrom(['', ''], ['FR', 'France'], ['CI', 'Côte d’Ivoire'], ['ZZ', 'a "quoted" one']);

const evidence = fc.tuple(anyEvidence, list, count, fc.maxSafeNat(), place).map(
  ([{ email, ip, velocity, ...rest }, entry, often, asn, [countryCode = '', country = '']]): Evidence => ({
    ...rest,
    email: { ...email, age: email.age.days > 100 ? { days: often, status: 'known' } : email.age },
    ip: ip === null ? null : { ...ip, asn, countryCode, country },
    velocity: { ...velocity, ip24h: often, domain24h: often },
    list: entry ?? rest.list,
  }),
);

export interface AnyRecorded {
  readonly evidence: Evidence;
  readonly options: RecordedOptions;
}

export const anyRecorded: fc.Arbitrary<AnyRecorded> = fc
  .record({
    evidence,
    thresholds,
    weights,
    policy: fc.constantFrom('default-1', 'custom-7'),
    shadow: fc.boolean(),
    sessionId: fc.option(hardText),
    local: hardText,
    ipStatus: fc.constantFrom(...IP_STATUSES),
    at: fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
    processedMs: fc.nat(),
    offered: fc.boolean(),
  })
  .map(({ evidence, weights, local, at, offered, ...rest }) => ({
    evidence,
    options: {
      ...rest,
      at: at.getTime(),
      judgement: judge(evidence, { version: '', weights, thresholds: rest.thresholds }),
      local: rest.shadow || evidence.email.providerMeant === '' ? '' : local,
      challenge: offered ? { token: 'dG9rZW4', expires_at: '2026-05-10T10:44:33Z' } : undefined,
    },
  }));
