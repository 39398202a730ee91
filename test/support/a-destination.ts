/** A destination of events to store, for tests that need only some of its fields. */
import { createMakeId } from '../../src/contract/identifiers.ts';
import { type Destination, EVENT_TYPES } from '../../src/model/event.ts';

const AT = Date.UTC(2026, 4, 10, 10, 14, 33);

const makeId = createMakeId();

/** A webhook that wants every type of event, and signups that were stopped. */
export function aDestination(accountId: string, fields: Partial<Destination> = {}): Destination {
  return {
    id: makeId('dst', AT),
    accountId,
    kind: 'webhook',
    name: 'ops',
    address: 'https://hooks.example.com/gatehouse',
    types: EVENT_TYPES,
    verdicts: ['challenge', 'block'],
    digestHour: null,
    secrets: { current: 'encrypted', previous: null },
    createdAt: AT,
    since: AT,
    disabled: null,
    ...fields,
  };
}
