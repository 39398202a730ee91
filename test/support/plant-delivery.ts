/** A destination of events of an account, with a delivery that reached it. */
import type { Store } from '../../src/store/store.ts';
import { aDestination } from './a-destination.ts';

export async function plantDelivery(
  store: Store,
  accountId: string,
  name = 'ops',
): Promise<{ readonly destination: string; readonly event: string }> {
  const destination = aDestination(accountId, {
    name,
    types: ['alert.closed'],
    address: 'https://127.0.0.1:9/',
  });
  await store.saveDestination(destination);
  const { id: destinationId } = destination;
  const event = await store.saveDirectEvent({
    destinationId,
    accountId,
    type: 'test',
    at: Date.now(),
    data: {},
  });
  return { destination: destinationId, event: event as string };
}
