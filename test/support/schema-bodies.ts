/** Generates bodies from a route's JSON Schema: each member right, wrong in type, hostile, twice, or missing. */
import fc from 'fast-check';
import { oddAddress } from './odd-addresses.ts';
import { anyText, strangeValue } from './raw-bodies.ts';
import type { BodySchema } from './registered-routes.ts';

/** Meaningful values by member name; each member also gets texts of any kind. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** Meaningful values for the members of the dashboard's bodies. */
export const MEANINGFUL: KnownValues = {
  action: ['allow', 'deny', 'challenge'],
  challenge: [1, 30, 60, 0, 101, 1.5, -0, 1e300],
  block: [60, 100, 1, 0, 101, 2 ** 53],
  email: ['new@example.com', 'NEW@EXAMPLE.COM', ' new@example.com'],
  host: ['mx.example.com', 'example', '*.example.com', '.', 'xn--a'],
  mode: ['live', 'test'],
  name: ['a name', '<script>alert(1)</script>', '=1+1'],
  note: ['a note', 'x'.repeat(3_000)],
  outcome: ['false_positive', 'false_negative', 'confirmed_fraud'],
  period: ['24h', '7d', '30d', '1y'],
  plan: ['free', 'starter', 'pro', 'business', 'gold'],
  provider: ['supabase', 'okta', 'entra', '__proto__'],
  reason: ['a reason', ''],
  value: [
    'some.example',
    '*.some.example',
    '203.0.113.0/24',
    '::/0',
    '2001:db8::/32',
    'jo@some.example',
    '*',
    '0.0.0.0/0',
  ],
  weights: [{}, { disposable: 1 }, { __proto__: 1 }, { toString: 5 }],
};

export function bodyOfSchema(schema: BodySchema, known: KnownValues): fc.Arbitrary<string> {
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    memberOf(name, property, known),
  );
  const extra = fc.array(
    fc.tuple(anyText, strangeValue).map(([name, value]) => `${JSON.stringify(name)}:${value}`),
    { maxLength: 1 },
  );
  const object = fc.tuple(extra, ...members).map((parts) => `{${parts.flat().join(',')}}`);
  return fc.oneof({ weight: 12, arbitrary: object }, { weight: 1, arbitrary: strangeValue });
}

function memberOf(name: string, schema: BodySchema, known: KnownValues): fc.Arbitrary<string[]> {
  const proper = anyValueOf(name, schema, known).map((value) => [
    `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`,
  ]);
  const strange = strangeValue.map((value) => [`${JSON.stringify(name)}:${value}`]);
  const twice = fc.tuple(strange, proper).map(([first, second]) => [...first, ...second]);
  return fc.oneof(
    { weight: 10, arbitrary: proper },
    { weight: 2, arbitrary: strange },
    { weight: 1, arbitrary: twice },
    { weight: 1, arbitrary: fc.constant<string[]>([]) },
  );
}

/** A value of the type that the schema wants. */
function anyValueOf(name: string, schema: BodySchema, known: KnownValues): fc.Arbitrary<unknown> {
  const meaningful = [...(known[name] ?? []), ...(schema.enum ?? [])];
  const typed = typedValue(schema, known);
  if (meaningful.length === 0) return typed;
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...meaningful) }, { weight: 1, arbitrary: typed });
}

function typedValue(schema: BodySchema, known: KnownValues): fc.Arbitrary<unknown> {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'number':
    case 'integer':
      return fc.oneof(fc.integer({ min: -2, max: 200 }), fc.double());
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [
            name,
            anyValueOf(name, property, known),
          ]),
        ),
      );
    default:
      return fc.oneof(anyText, oddAddress, fc.string({ maxLength: 12 }));
  }
}
