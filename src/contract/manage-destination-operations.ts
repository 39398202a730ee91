/** The operations of the management API about destinations of events. */
import {
  ManageDeliveryList,
  ManageDestination,
  ManageDestinationChanges,
  ManageDestinationList,
  ManageDestinationRequest,
  ManageDestinationRotation,
  ManageDestinationSecret,
  ManageDestinationTest,
  ManageReplay,
} from './manage-destination-messages.ts';
import type { ManageOperationRow } from './manage-operation.ts';

const DESTINATIONS = '/v1/manage/accounts/{account}/destinations';
const DESTINATION = `${DESTINATIONS}/{destination}`;

export const DESTINATION_ROWS: readonly ManageOperationRow[] = [
  {
    id: 'listDestinations',
    method: 'GET',
    path: DESTINATIONS,
    scope: 'destinations:read',
    summary: 'List destinations of events',
    description: 'Oldest first, a page at a time. Webhooks, Slack and e-mail, never their secrets.',
    response: ManageDestinationList,
  },
  {
    id: 'createDestination',
    method: 'POST',
    path: DESTINATIONS,
    scope: 'destinations:write',
    summary: 'Create a destination of events',
    description: 'The answer has the secret that messages of a webhook are signed with, once.',
    request: ManageDestinationRequest,
    response: ManageDestinationSecret,
  },
  {
    id: 'getDestination',
    method: 'GET',
    path: DESTINATION,
    scope: 'destinations:read',
    summary: 'Read a destination of events',
    description: 'Never its secret.',
    response: ManageDestination,
  },
  {
    id: 'updateDestination',
    method: 'PATCH',
    path: DESTINATION,
    scope: 'destinations:write',
    summary: 'Change a destination of events',
    description: 'Changes only what the body names. The secret of a webhook stays.',
    request: ManageDestinationChanges,
    response: ManageDestination,
  },
  {
    id: 'rotateDestination',
    method: 'POST',
    path: `${DESTINATION}/rotate`,
    scope: 'destinations:write',
    summary: 'Replace the secret of a webhook',
    description:
      'The answer has the new secret, once. For a day messages have the signatures of both, unless `at_once` is true.',
    request: ManageDestinationRotation,
    response: ManageDestinationSecret,
  },
  {
    id: 'testDestination',
    method: 'POST',
    path: `${DESTINATION}/test`,
    scope: 'destinations:write',
    summary: 'Send a test message',
    description: 'Sends a message of type `test` now, and answers what came of it, within 15 seconds.',
    response: ManageDestinationTest,
  },
  {
    id: 'listDeliveries',
    method: 'GET',
    path: `${DESTINATION}/deliveries`,
    scope: 'destinations:read',
    summary: 'List deliveries to a destination',
    description: 'Newest event first, kept for 30 days.',
    filters: { state: 'Only those with this state: `pending`, `delivered`, `failed` or `dropped`.' },
    response: ManageDeliveryList,
  },
  {
    id: 'replayDelivery',
    method: 'POST',
    path: `${DESTINATION}/deliveries/{event}/replay`,
    scope: 'destinations:write',
    summary: 'Deliver an event again',
    description:
      'With the same `webhook-id`. Receivers that take each id once do not notice what they already have.',
    response: ManageReplay,
  },
  {
    id: 'removeDestination',
    method: 'DELETE',
    path: DESTINATION,
    scope: 'destinations:write',
    summary: 'Remove a destination of events',
    description: 'With its list of deliveries. What waits for it is not sent.',
    response: ManageDestination,
  },
];
